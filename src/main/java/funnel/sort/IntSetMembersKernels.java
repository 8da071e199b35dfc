package funnel.sort;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link SetMembersStep}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntSetMembersKernels {

  /* Equal elements of two arrays match one by one, the first with the first. In the merge, the
   * elements of the other array before an element are those less than it, or for the second array
   * those not greater. Added to the number of equal elements before it in its own array, this gives
   * the place of its match, if there is one. That number is found by a backward search in steps
   * that double.
   */

  static final int THREADS = 256;

  private static final int TILE = 8 * THREADS;

  /* Which elements are kept: those of the first array that have a match in the second, those that
   * have none, and those of the second that have none.
   */
  static final int MATCHED = 1;
  static final int FIRST = 2;
  static final int SECOND = 4;

  private IntSetMembersKernels() {}

  static int tiles(int capacity) {
    return Math.max(1, Math.ceilDiv(capacity, TILE));
  }

  /** The value at a place of one of two arrays. */
  private static @Value int at(
      @Element IntArray first, @Element IntArray second, int isSecond, int place) {
    return isSecond == 1 ? Scalars.value(second.get(place)) : Scalars.value(first.get(place));
  }

  static void members(
      KernelContext context,
      IntArray shape,
      @Element IntArray first,
      @Element IntArray second,
      IntArray positions,
      ByteArray flags,
      IntArray done,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt,
      int by,
      int kept) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int firstLength = shape.get(shapeAt);
    int secondLength = shape.get(shapeAt + IntMergeKernels.SECOND_LENGTH);
    int firstFrom = shape.get(shapeAt + IntMergeKernels.IN_FIRST);
    int secondFrom = shape.get(shapeAt + IntMergeKernels.IN_SECOND);
    int begin = block * TILE;
    int left = Scalars.min(firstLength + secondLength - begin, TILE);
    for (int item = thread; item < left; item += THREADS) {
      int position = positions.get(begin + item);
      int isSecond = position < firstLength ? 0 : 1;
      int own = isSecond == 1 ? position - firstLength : position;
      int others = begin + item - own;
      int from = isSecond == 1 ? secondFrom : firstFrom;
      int otherFrom = isSecond == 1 ? firstFrom : secondFrom;
      int otherLength = isSecond == 1 ? firstLength : secondLength;
      @Value int value = at(first, second, isSecond, from + own);
      int low = own;
      int step = 1;
      int isOn = 1;
      while (isOn == 1) {
        int back = Scalars.max(low - step, 0);
        int isEqual = 1 - IntOvertakes.of(by, at(first, second, isSecond, from + back), value);
        low = isEqual == 1 ? back : low;
        step = isEqual == 1 ? 2 * step : step;
        isOn = isEqual & (back > 0 ? 1 : 0);
      }
      int high = low;
      low = low == 0 ? 0 : Scalars.max(low - step, 0) + 1;
      while (low < high) {
        int half = low + (high - low) / 2;
        int isBefore = IntOvertakes.of(by, at(first, second, isSecond, from + half), value);
        high = isBefore == 1 ? high : half;
        low = isBefore == 1 ? half + 1 : low;
      }
      int before = own - low;
      int match = isSecond == 1 ? others - 1 - before : others + before;
      int isMatched = (match < 0 ? 0 : 1) & (match < otherLength ? 1 : 0);
      if (isMatched == 1) {
        @Value int other = at(first, second, 1 - isSecond, otherFrom + match);
        @Value int lower = isSecond == 1 ? other : value;
        @Value int upper = isSecond == 1 ? value : other;
        isMatched = 1 - IntOvertakes.of(by, lower, upper);
      }
      int kind = isSecond == 1 ? SECOND : FIRST;
      int asMatched = isSecond == 1 ? 0 : MATCHED;
      int isKept = (kept & (isMatched == 1 ? asMatched : kind)) != 0 ? 1 : 0;
      flags.set(begin + item, (byte) isKept);
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
