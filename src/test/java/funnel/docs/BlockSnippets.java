package funnel.docs;

import funnel.block.BlockReduce;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;

/** The example of {@link BlockReduce}. */
final class BlockSnippets {

  private BlockSnippets() {}

  // @start region="kernel"
  /**
   * Divides each row of a matrix by its sum. One block a row, {@code threads} threads a block,
   * which is a constant of the kernel: a scalar argument of the task.
   */
  static void normalizeRows(KernelContext context, DoubleArray matrix, int columns, int threads) {
    int thread = context.localIdx;
    int begin = context.groupIdx * columns;
    double part = 0;
    for (int column = thread; column < columns; column += threads) {
      part += matrix.get(begin + column);
    }
    double sum = BlockReduce.sum(context, thread, threads, part); // the same in all threads
    for (int column = thread; column < columns; column += threads) {
      matrix.set(begin + column, matrix.get(begin + column) / sum);
    }
  }
  // @end
}
