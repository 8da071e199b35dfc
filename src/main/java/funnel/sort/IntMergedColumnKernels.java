package funnel.sort;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link MergedColumnStep}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntMergedColumnKernels {

  /* Positions of a merge ascend in each of the two columns, so that a warp reads few stretches. A
   * thread reads four at a time; in place of a missing item the last one is read again.
   */

  static final int LENGTH_AT = 0;
  static final int FIRST_LENGTH_AT = 1;
  static final int FIRST_FROM_AT = 2;
  static final int SECOND_FROM_AT = 3; // after it: kernels add 1
  static final int TO_AT = 4;
  static final int SECOND_LENGTH_AT = 5;

  static final int THREADS = 256;
  private static final int TILE = 4 * THREADS;

  private IntMergedColumnKernels() {}

  static int tiles(int capacity) {
    return Math.max(1, Math.ceilDiv(capacity, TILE));
  }

  /**
   * The value at a position of two arrays, one after the other. Positions are arbitrary where a
   * selection gave up before it wrote them.
   */
  private static @Value int at(
      IntArray shape,
      @Element IntArray first,
      @Element IntArray second,
      int shapeAt,
      int firstLength,
      int position) {
    int last = firstLength + shape.get(shapeAt + SECOND_LENGTH_AT) - 1;
    int inside = Scalars.max(0, Scalars.min(position, last));
    int isSecond = inside < firstLength ? 0 : 1;
    int place = isSecond == 1 ? inside - firstLength : inside;
    int from = shape.get(shapeAt + FIRST_FROM_AT + isSecond) + place;
    return isSecond == 1 ? Scalars.value(second.get(from)) : Scalars.value(first.get(from));
  }

  static void column(
      KernelContext context,
      IntArray shape,
      @Element IntArray first,
      @Element IntArray second,
      IntArray positions,
      @Element IntArray column,
      IntArray done,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int firstLength = shape.get(shapeAt + FIRST_LENGTH_AT);
    int to = shape.get(shapeAt + TO_AT);
    int begin = block * TILE;
    int left = shape.get(shapeAt) - begin;
    if (left > 0) {
      int i0 = begin + Scalars.min(thread, left - 1);
      int i1 = begin + Scalars.min(thread + THREADS, left - 1);
      int i2 = begin + Scalars.min(thread + 2 * THREADS, left - 1);
      int i3 = begin + Scalars.min(thread + 3 * THREADS, left - 1);
      int p0 = positions.get(i0);
      int p1 = positions.get(i1);
      int p2 = positions.get(i2);
      int p3 = positions.get(i3);
      @Value int v0 = at(shape, first, second, shapeAt, firstLength, p0);
      @Value int v1 = at(shape, first, second, shapeAt, firstLength, p1);
      @Value int v2 = at(shape, first, second, shapeAt, firstLength, p2);
      @Value int v3 = at(shape, first, second, shapeAt, firstLength, p3);
      if (thread < left) {
        column.set(to + i0, (@Element int) v0);
      }
      if (thread + THREADS < left) {
        column.set(to + i1, (@Element int) v1);
      }
      if (thread + 2 * THREADS < left) {
        column.set(to + i2, (@Element int) v2);
      }
      if (thread + 3 * THREADS < left) {
        column.set(to + i3, (@Element int) v3);
      }
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
