package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link ScatterStep}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntScatterKernels {

  /* Each element leaves a mark at its position. Positions are distinct if each element finds its
   * own mark there again. Otherwise an element reports it, and whichever report remains, the run
   * throws. Then, and if an index is outside, nothing is written. Positions outside the places
   * otherwise exist only if inputs were cut off; these elements are dropped.
   */

  static final int LENGTH_AT = 0;
  static final int SIZE_AT = 1;
  static final int FROM_AT = 2;
  static final int POSITIONS_FROM_AT = 3;
  static final int OLD_FROM_AT = 4;
  static final int TO_AT = 5;

  private static final int THREADS = IntGatherKernels.THREADS;
  private static final int ITEMS = 4;
  private static final int TILE = ITEMS * THREADS;

  private IntScatterKernels() {}

  /** Writes each element's mark at its position, or looks for marks of others there. */
  static void mark(
      KernelContext context,
      IntArray shape,
      IntArray positions,
      IntArray owners,
      IntArray taken,
      int looks,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt);
    int size = shape.get(shapeAt + SIZE_AT);
    int from = shape.get(shapeAt + POSITIONS_FROM_AT);
    int first = block * TILE;
    int left = length - first;
    if (left > 0) {
      for (int k = 0; k < ITEMS; k++) {
        int item = k * THREADS + thread;
        int place = positions.get(from + first + Scalars.min(item, left - 1));
        if (item < left & place >= 0 & place < size) {
          if (looks == 0) {
            owners.set(place, first + item);
          } else {
            int isMine = owners.get(place) == first + item ? 1 : 0;
            if (isMine == 0) {
              taken.set(0, first + item);
            }
          }
        }
      }
    }
    if (looks == 0 & thread == 0 & block == 0) {
      taken.set(0, -1);
    }
  }

  /** Writes the contents of places where no element goes. */
  static void begin(
      KernelContext context,
      IntArray shape,
      @Element IntArray old,
      @Element IntArray output,
      IntArray taken,
      IntArray refused,
      int isFilled,
      @Value int fill,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int size = shape.get(shapeAt + SIZE_AT);
    int from = shape.get(shapeAt + OLD_FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int first = block * TILE;
    int left = refused.get(0) < 0 & taken.get(0) < 0 ? size - first : 0;
    for (int k = 0; k < ITEMS; k++) {
      int item = k * THREADS + thread;
      if (item < left) {
        @Element int value = (@Element int) fill;
        if (isFilled == 0) {
          value = old.get(from + first + item);
        }
        output.set(to + first + item, value);
      }
    }
  }

  /** Writes the elements to their places, and reports elements that have lost their place. */
  static void scatter(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      IntArray positions,
      @Element IntArray output,
      IntArray taken,
      IntArray refused,
      IntArray place,
      IntArray position,
      @AtLaunch int shapeAt,
      @AtLaunch int placeAt,
      @AtLaunch int positionAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt);
    int size = shape.get(shapeAt + SIZE_AT);
    int from = shape.get(shapeAt + FROM_AT);
    int positionsFrom = shape.get(shapeAt + POSITIONS_FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int lost = taken.get(0);
    int first = block * TILE;
    int left = refused.get(0) < 0 & lost < 0 ? length - first : 0;
    if (left > 0) {
      int i0 = first + Scalars.min(thread, left - 1);
      int i1 = first + Scalars.min(thread + THREADS, left - 1);
      int i2 = first + Scalars.min(thread + 2 * THREADS, left - 1);
      int i3 = first + Scalars.min(thread + 3 * THREADS, left - 1);
      int p0 = positions.get(positionsFrom + i0);
      int p1 = positions.get(positionsFrom + i1);
      int p2 = positions.get(positionsFrom + i2);
      int p3 = positions.get(positionsFrom + i3);
      @Element int v0 = values.get(from + i0);
      @Element int v1 = values.get(from + i1);
      @Element int v2 = values.get(from + i2);
      @Element int v3 = values.get(from + i3);
      if (thread < left & p0 >= 0 & p0 < size) {
        output.set(to + p0, v0);
      }
      if (thread + THREADS < left & p1 >= 0 & p1 < size) {
        output.set(to + p1, v1);
      }
      if (thread + 2 * THREADS < left & p2 >= 0 & p2 < size) {
        output.set(to + p2, v2);
      }
      if (thread + 3 * THREADS < left & p3 >= 0 & p3 < size) {
        output.set(to + p3, v3);
      }
    }
    if (thread == 0 & block == 0) {
      int isLost = lost < 0 ? 0 : 1;
      int runs = RunCounter.next(place.get(placeAt + 1));
      place.set(placeAt, lost);
      place.set(placeAt + 1, runs);
      position.set(positionAt, isLost * positions.get(isLost * (positionsFrom + lost)));
      position.set(positionAt + 1, runs);
    }
  }
}
