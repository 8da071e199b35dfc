package funnel.docs;

import funnel.block.BlockReduce;
import funnel.block.BlockVote;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The examples of {@link BlockReduce} and {@link BlockVote}. */
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

  // @start region="vote"
  /**
   * Sets each block of elements that has a NaN to zero, and counts its NaNs. {@code threads} is a
   * constant of the kernel: a scalar argument of the task.
   */
  static void zeroBlocksWithNan(
      KernelContext context, FloatArray values, IntArray counts, int threads) {
    int thread = context.localIdx;
    int i = context.globalIdx;
    float value = i < values.getSize() ? values.get(i) : 0;
    int nans = BlockVote.count(context, thread, threads, value != value); // by all threads
    if (nans > 0 && i < values.getSize()) {
      values.set(i, 0);
    }
    if (thread == 0) {
      counts.set(context.groupIdx, nans);
    }
  }
  // @end
}
