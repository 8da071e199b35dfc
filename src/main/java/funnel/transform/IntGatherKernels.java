package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link GatherStep}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntGatherKernels {

  /* In place of a missing item, the last one is read again, and nothing is written. Positions
   * outside the elements exist only if the run throws, which then reads none, or if its inputs
   * were cut off: then the last element replaces the missing ones.
   */

  /* Where the kernel finds its ints in the shape array. */
  static final int LENGTH_AT = 0;
  static final int SIZE_AT = 1;
  static final int FROM_AT = 2;
  static final int POSITIONS_FROM_AT = 3;
  static final int TO_AT = 4;

  static final int THREADS = 256;
  private static final int TILE = 4 * THREADS;

  private IntGatherKernels() {}

  /** Blocks for a number of elements. */
  static int tiles(int capacity) {
    return Math.max(1, Math.ceilDiv(capacity, TILE));
  }

  /** A position inside: positions are arbitrary where a selection gave up before it wrote them. */
  private static int within(int last, int position) {
    return Scalars.max(0, Scalars.min(position, last));
  }

  static void gather(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      IntArray positions,
      @Element IntArray output,
      IntArray refused,
      IntArray done,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt);
    int last = shape.get(shapeAt + SIZE_AT) - 1;
    int from = shape.get(shapeAt + FROM_AT);
    int positionsFrom = shape.get(shapeAt + POSITIONS_FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int first = block * TILE;
    int left = refused.get(0) < 0 ? length - first : 0;
    left = last < 0 ? 0 : left;
    if (left > 0) {
      int i0 = first + Scalars.min(thread, left - 1);
      int i1 = first + Scalars.min(thread + THREADS, left - 1);
      int i2 = first + Scalars.min(thread + 2 * THREADS, left - 1);
      int i3 = first + Scalars.min(thread + 3 * THREADS, left - 1);
      int p0 = positions.get(positionsFrom + i0);
      int p1 = positions.get(positionsFrom + i1);
      int p2 = positions.get(positionsFrom + i2);
      int p3 = positions.get(positionsFrom + i3);
      @Element int v0 = values.get(from + within(last, p0));
      @Element int v1 = values.get(from + within(last, p1));
      @Element int v2 = values.get(from + within(last, p2));
      @Element int v3 = values.get(from + within(last, p3));
      if (thread < left) {
        output.set(to + i0, v0);
      }
      if (thread + THREADS < left) {
        output.set(to + i1, v1);
      }
      if (thread + 2 * THREADS < left) {
        output.set(to + i2, v2);
      }
      if (thread + 3 * THREADS < left) {
        output.set(to + i3, v3);
      }
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
