package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link AdjacentDifferenceStep}. */
@Twins({"Long", "Float", "Double"})
final class IntAdjacentDifferenceKernels {

  /* Each thread reads its left neighbour's element again, from the cache, so that no barrier is
   * needed. In place of a missing item, the last one is read again, and nothing is written. Only a
   * thread's first item can be the input's first element.
   */

  static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;
  static final int TO_AT = 2;

  static final int THREADS = 256;
  static final int TILE = 4 * THREADS;

  private IntAdjacentDifferenceKernels() {}

  static void subtract(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray differences,
      IntArray done,
      int shapeAt,
      int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int from = shape.get(shapeAt);
    int length = shape.get(shapeAt + LENGTH_AT);
    int to = shape.get(shapeAt + TO_AT);
    int first = block * TILE;
    int left = length - first;
    if (left > 0) {
      int i0 = first + Scalars.min(thread, left - 1);
      int i1 = first + Scalars.min(thread + THREADS, left - 1);
      int i2 = first + Scalars.min(thread + 2 * THREADS, left - 1);
      int i3 = first + Scalars.min(thread + 3 * THREADS, left - 1);
      @Element int v0 = values.get(from + i0);
      @Element int v1 = values.get(from + i1);
      @Element int v2 = values.get(from + i2);
      @Element int v3 = values.get(from + i3);
      @Element int before0 = values.get(from + Scalars.max(i0 - 1, 0));
      @Element int before1 = values.get(from + Scalars.max(i1 - 1, 0));
      @Element int before2 = values.get(from + Scalars.max(i2 - 1, 0));
      @Element int before3 = values.get(from + Scalars.max(i3 - 1, 0));
      if (thread < left) {
        differences.set(to + i0, i0 > 0 ? v0 - before0 : v0);
      }
      if (thread + THREADS < left) {
        differences.set(to + i1, v1 - before1);
      }
      if (thread + 2 * THREADS < left) {
        differences.set(to + i2, v2 - before2);
      }
      if (thread + 3 * THREADS < left) {
        differences.set(to + i3, v3 - before3);
      }
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
