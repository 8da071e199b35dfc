package funnel.histogram;

import funnel.kernel.AtLaunch;
import funnel.kernel.KernelTask;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link RunCountsStep}. */
final class RunCountsKernels {

  /* One thread per bin finds by bisection where the keys of its bin begin. The next thread knows
   * where they end, so a block has one thread more than bins. Nothing needs to be cleared before or
   * added, and few keys are read if there are few bins; if there are many, the threads of a warp
   * read the same keys.
   */

  /* Where the kernel finds its ints in the shape array. */
  static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;
  static final int TO_AT = 2;

  private static final int THREADS = 256;
  private static final int BINS = THREADS - 1;

  private RunCountsKernels() {}

  static KernelTask.Grid grid(int bins) {
    return KernelTask.Grid.of(Math.ceilDiv(bins, BINS), THREADS);
  }

  static void counts(
      KernelContext context,
      IntArray shape,
      IntArray keys,
      IntArray counts,
      IntArray counted,
      int bins,
      @AtLaunch int shapeAt,
      @AtLaunch int countedAt) {
    int thread = context.localIdx;
    int bin = context.groupIdx * BINS + thread;
    int from = shape.get(shapeAt);
    int length = shape.get(shapeAt + LENGTH_AT);
    int to = shape.get(shapeAt + TO_AT);
    int[] begins = context.allocateIntLocalArray(THREADS);
    int begin = begin(keys, from, length, bin);
    begins[thread] = begin;
    context.localBarrier();
    int end = begins[Scalars.min(thread + 1, BINS)];
    if (thread < BINS & bin < bins) {
      counts.set(to + bin, end - begin);
    }
    if (thread < BINS & bin == bins - 1) {
      int runs = RunCounter.next(counted.get(countedAt + 1));
      counted.set(countedAt, end);
      counted.set(countedAt + 1, runs);
    }
  }

  /** The number of keys that are less than a bin. */
  private static int begin(IntArray keys, int from, int length, int bin) {
    int low = 0;
    int count = length;
    while (count > 0) {
      int half = count / 2;
      int key = keys.get(from + low + half);
      int isLess = Scalars.isSmaller(key, bin) ? 1 : 0;
      low = low + isLess * (half + 1);
      count = isLess * (count - half - 1) + (1 - isLess) * half;
    }
    return low;
  }
}
