package funnel.select;

import funnel.kernel.KernelTask.Grid;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link RunLengthsStep}. */
final class RunLengthsKernels {

  /* Blocks after the found runs return immediately. The last run ends with the elements; in place
   * of a missing next start the last one is read again.
   */

  static final int RUNS_AT = 0;
  static final int ELEMENTS_AT = 1;
  static final int FROM_AT = 2;
  static final int TO_AT = 3;

  private static final int THREADS = 256;
  private static final int ITEMS = 4;
  private static final int TILE = THREADS * ITEMS;

  private RunLengthsKernels() {}

  static Grid grid(int capacity) {
    return Grid.of(Math.max(1, Math.ceilDiv(capacity, TILE)), THREADS);
  }

  static void lengths(
      KernelContext context,
      IntArray shape,
      IntArray starts,
      IntArray lengths,
      IntArray done,
      int shapeAt,
      int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int runs = shape.get(shapeAt);
    int elements = shape.get(shapeAt + ELEMENTS_AT);
    int from = shape.get(shapeAt + FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int first = block * TILE;
    if (runs - first > 0) {
      for (int k = 0; k < ITEMS; k++) {
        int run = first + k * THREADS + thread;
        if (run < runs) {
          int start = starts.get(from + run);
          int next = starts.get(from + Scalars.min(run + 1, runs - 1));
          lengths.set(to + run, (run + 1 < runs ? next : elements) - start);
        }
      }
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
