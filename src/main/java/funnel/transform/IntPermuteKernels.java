package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.kernel.ShapeLongs;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link PermuteStep}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntPermuteKernels {

  /* Computing an element's place takes as long as copying the element, or longer by chance. So the
   * more threads, the better; only for the largest arrays there would be too many.
   */

  static final int LENGTH_AT = 0;
  static final int COUNT_AT = 1;
  static final int FROM_AT = 2;
  static final int TO_AT = 3;
  static final int KEY_AT = 4;

  static final int THREADS = 256;
  static final int TILE = 2 * THREADS;

  private IntPermuteKernels() {}

  static void permute(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray output,
      IntArray done,
      int positions,
      int shapeAt,
      int doneAt) {
    int length = shape.get(shapeAt);
    int count = shape.get(shapeAt + COUNT_AT);
    int from = shape.get(shapeAt + FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    long key = ShapeLongs.get(shape, shapeAt + KEY_AT);
    int thread = context.localIdx;
    int block = context.groupIdx;
    int first = block * TILE;
    int end = Scalars.min(Scalars.min(count, length) - first, TILE);
    int bits = Bijection.bits(length);
    for (int k = thread; k < end; k += THREADS) {
      int at = Bijection.at(first + k, length, bits, key);
      output.set(to + first + k, positions == 1 ? (@Element int) at : values.get(from + at));
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
