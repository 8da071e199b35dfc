package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link ReverseStep}, in the tiles of gathers. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntReverseKernels {

  /* In place of a missing item, the last one is read again, and nothing is written. */

  static final int LENGTH_AT = 0;
  static final int FROM_AT = 1;
  static final int TO_AT = 2;

  private static final int THREADS = IntGatherKernels.THREADS;

  private IntReverseKernels() {}

  static void reverse(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray output,
      IntArray done,
      int shapeAt,
      int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt);
    int from = shape.get(shapeAt + FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int first = block * (4 * THREADS);
    int left = length - first;
    if (left > 0) {
      int i0 = Scalars.min(thread, left - 1);
      int i1 = Scalars.min(thread + THREADS, left - 1);
      int i2 = Scalars.min(thread + 2 * THREADS, left - 1);
      int i3 = Scalars.min(thread + 3 * THREADS, left - 1);
      int end = from + left - 1;
      @Element int v0 = values.get(end - i0);
      @Element int v1 = values.get(end - i1);
      @Element int v2 = values.get(end - i2);
      @Element int v3 = values.get(end - i3);
      int begin = to + first;
      if (thread < left) {
        output.set(begin + i0, v0);
      }
      if (thread + THREADS < left) {
        output.set(begin + i1, v1);
      }
      if (thread + 2 * THREADS < left) {
        output.set(begin + i2, v2);
      }
      if (thread + 3 * THREADS < left) {
        output.set(begin + i3, v3);
      }
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
