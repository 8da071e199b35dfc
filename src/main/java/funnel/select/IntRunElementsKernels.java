package funnel.select;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Device form of {@link RunElementsStep}. */
@Twins({"Long", "Float", "Double", "Byte"})
final class IntRunElementsKernels {

  /* The runs of a tile's first and last element are searched among all ends, those of the others
   * between these two. So little is left to search if runs are long, and short ones are near each
   * other. Runs of length 0 end where the one before does and are never found.
   */

  static final int RUNS_AT = 0;
  static final int CAPACITY_AT = 1;
  static final int FROM_AT = 2;
  static final int ENDS_FROM_AT = 3;
  static final int TO_AT = 4;
  static final int LENGTH_IF_MORE_AT = 5;

  static final int THREADS = 256;
  private static final int ITEMS = 8;
  private static final int TILE = ITEMS * THREADS;

  private IntRunElementsKernels() {}

  static int tiles(int capacity) {
    return Math.max(1, Math.ceilDiv(capacity, TILE));
  }

  /** The first of some runs that ends after an element; the last run always does. */
  private static int find(LongArray ends, int from, int first, int last, int element) {
    int low = first;
    int high = last;
    while (low < high) {
      int middle = low + (high - low) / 2;
      int isAfter = ends.get(from + middle) > element ? 1 : 0;
      high = isAfter == 1 ? middle : high;
      low = isAfter == 1 ? low : middle + 1;
    }
    return low;
  }

  static void decode(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      LongArray ends,
      IntArray refused,
      @Element IntArray output,
      IntArray count,
      LongArray total,
      @AtLaunch int shapeAt,
      @AtLaunch int countAt,
      @AtLaunch int totalAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int runs = shape.get(shapeAt);
    int capacity = shape.get(shapeAt + CAPACITY_AT);
    int valuesFrom = shape.get(shapeAt + FROM_AT);
    int endsFrom = shape.get(shapeAt + ENDS_FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int isGiven = refused.get(0) < 0 & runs > 0 ? 1 : 0;
    long all = 0L;
    if (isGiven == 1) {
      all = ends.get(endsFrom + runs - 1);
    }
    int length = all > capacity ? shape.get(shapeAt + LENGTH_IF_MORE_AT) : (int) all;
    int first = block * TILE;
    int left = Scalars.min(length - first, TILE);
    if (left > 0) {
      int low = find(ends, endsFrom, 0, runs - 1, first);
      int high = find(ends, endsFrom, low, runs - 1, first + left - 1);
      for (int item = thread; item < left; item += THREADS) {
        int run = find(ends, endsFrom, low, high, first + item);
        output.set(to + first + item, values.get(valuesFrom + run));
      }
    }
    if (thread == 0 & block == 0) {
      int runsDone = RunCounter.next(count.get(countAt + 1));
      count.set(countAt, length);
      count.set(countAt + 1, runsDone);
      total.set(totalAt, all);
      total.set(totalAt + 1, RunCounter.next(total.get(totalAt + 1)));
    }
  }
}
