package funnel.sort;

import funnel.block.BlockReduce;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link IsSortedStep}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntIsSortedKernels {

  /* As many blocks as fill a device each check rows of neighbours at a fixed distance, from the
   * front; one block finds the first place among their results. An element's neighbour is read
   * again, from the cache. Loops count the rows that are left, since places could pass 2^31.
   */

  static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;

  static final int THREADS = 256;
  private static final int ROW = 4 * THREADS;
  private static final int MOST_BLOCKS = 2048;

  private IntIsSortedKernels() {}

  static int blocks(int capacity) {
    return Math.clamp(Math.ceilDiv(capacity, ROW), 1, MOST_BLOCKS);
  }

  /** The place after a pair whose second element should come first, else the largest int. */
  private static int place(@Value int first, @Value int second, int sign, int place) {
    return Scalars.compare(first, second) * sign > 0 ? place + 1 : Integer.MAX_VALUE;
  }

  static void check(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      IntArray places,
      @AtLaunch int blocks,
      int sign,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int from = shape.get(shapeAt);
    int pairs = shape.get(shapeAt + LENGTH_AT) - 1;
    int found = Integer.MAX_VALUE;
    for (int left = pairs - block * ROW - thread; left > 0; left -= blocks * ROW) {
      int p0 = pairs - left;
      int p1 = p0 + Scalars.min(THREADS, left - 1);
      int p2 = p0 + Scalars.min(2 * THREADS, left - 1);
      int p3 = p0 + Scalars.min(3 * THREADS, left - 1);
      @Value int a0 = Scalars.value(values.get(from + p0));
      @Value int a1 = Scalars.value(values.get(from + p1));
      @Value int a2 = Scalars.value(values.get(from + p2));
      @Value int a3 = Scalars.value(values.get(from + p3));
      @Value int b0 = Scalars.value(values.get(from + p0 + 1));
      @Value int b1 = Scalars.value(values.get(from + p1 + 1));
      @Value int b2 = Scalars.value(values.get(from + p2 + 1));
      @Value int b3 = Scalars.value(values.get(from + p3 + 1));
      found = Scalars.min(found, place(a0, b0, sign, p0));
      found = Scalars.min(found, place(a1, b1, sign, p1));
      found = Scalars.min(found, place(a2, b2, sign, p2));
      found = Scalars.min(found, place(a3, b3, sign, p3));
    }
    found = BlockReduce.min(context, thread, THREADS, found);
    if (thread == 0) {
      places.set(block, found);
    }
  }

  static void report(
      KernelContext context,
      IntArray places,
      IntArray first,
      @AtLaunch int blocks,
      @AtLaunch int firstAt) {
    int thread = context.localIdx;
    int found = Integer.MAX_VALUE;
    for (int at = thread; at < blocks; at += THREADS) {
      found = Scalars.min(found, places.get(at));
    }
    found = BlockReduce.min(context, thread, THREADS, found);
    if (thread == 0) {
      int runs = RunCounter.next(first.get(firstAt + 1));
      first.set(firstAt, found == Integer.MAX_VALUE ? -1 : found);
      first.set(firstAt + 1, runs);
    }
  }
}
