package funnel.scan;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link WindowSumStep}. */
@Twins({"Long"})
final class IntWindowSumKernels {

  /* A thread's loads are in flight at once: in place of a missing item, the last one is read again,
   * and nothing is written. The farther sum is mostly in the second-level cache.
   */

  static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;
  static final int TO_AT = 2;
  static final int GIVEN_FROM_AT = 3;
  static final int ROWS_AT = 4;

  static final int THREADS = 256;
  static final int TILE = 4 * THREADS;

  private IntWindowSumKernels() {}

  /** How many elements window {@code i} has, at most {@code i + 1}, but for whole rows. */
  static int width(int kind, int given, int i, int rows) {
    return switch (kind) {
      case WindowStep.ROWS -> rows;
      case WindowStep.IN_SEGMENTS -> Scalars.min(rows, Scalars.max(Scalars.min(given, i), 0) + 1);
      default -> Scalars.max(Scalars.min(given, i + 1), 1);
    };
  }

  private static @Element int element(
      @Element IntArray sums, IntArray given, int kind, int from, int givenFrom, int i, int rows) {
    int own = kind == WindowStep.ROWS ? 0 : given.get(givenFrom + i);
    int before = i - width(kind, own, i, rows);
    @Element int sum = sums.get(from + i);
    @Element int far = sums.get(from + Scalars.max(before, 0));
    return before >= 0 ? sum - far : sum;
  }

  static void subtract(
      KernelContext context,
      IntArray shape,
      @Element IntArray sums,
      IntArray given,
      @Element IntArray output,
      IntArray done,
      int kind,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int from = shape.get(shapeAt + FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int givenFrom = shape.get(shapeAt + GIVEN_FROM_AT);
    int rows = shape.get(shapeAt + ROWS_AT);
    int first = block * TILE;
    int left = shape.get(shapeAt + LENGTH_AT) - first;
    if (left > 0) {
      int i0 = first + Scalars.min(thread, left - 1);
      int i1 = first + Scalars.min(thread + THREADS, left - 1);
      int i2 = first + Scalars.min(thread + 2 * THREADS, left - 1);
      int i3 = first + Scalars.min(thread + 3 * THREADS, left - 1);
      @Element int v0 = element(sums, given, kind, from, givenFrom, i0, rows);
      @Element int v1 = element(sums, given, kind, from, givenFrom, i1, rows);
      @Element int v2 = element(sums, given, kind, from, givenFrom, i2, rows);
      @Element int v3 = element(sums, given, kind, from, givenFrom, i3, rows);
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
