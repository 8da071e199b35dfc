package funnel.select;

import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * The lengths that {@link IntSelectKernels} leaves: of the last run that begins in each stretch.
 */
final class RunLengthsKernels {

  /* The last run of all ends with the elements; in place of a missing next start the last one is
   * read again.
   */

  static final int THREADS = 256;

  private RunLengthsKernels() {}

  static void last(
      KernelContext context,
      IntArray shape,
      IntArray numbers,
      IntArray positions,
      IntArray lengths,
      IntArray done,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int stretch = context.groupIdx * THREADS + context.localIdx;
    int stretches = shape.get(shapeAt + SelectTiles.TILES_AT) * SelectTiles.WARPS;
    if (stretch < stretches) {
      int next = numbers.get(stretch + 1);
      if (next > numbers.get(stretch)) {
        int runs = numbers.get(stretches);
        int from = shape.get(shapeAt + SelectTiles.POSITIONS_TO_AT);
        int after = positions.get(from + Scalars.min(next, runs - 1));
        int end = next < runs ? after : shape.get(shapeAt + SelectTiles.LENGTH_AT);
        int length = end - positions.get(from + next - 1);
        lengths.set(shape.get(shapeAt + SelectTiles.LENGTHS_TO_AT) + next - 1, length);
      }
    }
    if (stretch == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
