package funnel.select;

import funnel.block.BlockReduce;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link Search}. */
@Twins({"Long", "Float", "Double", "Byte"})
final class IntSearchKernels {

  /* As many blocks as fill a device each look at every so-manieth row, from the front; one block
   * finds the first position in what they found. Rows are counted by what is left after them, since
   * positions could pass 2^31. All loads of a round come before the first predicate.
   */

  static final int THREADS = 256;
  private static final int ROUND = 8;
  private static final int ROW = THREADS * ROUND;
  private static final int MOST_BLOCKS = 2048;

  private IntSearchKernels() {}

  /** Blocks that search among so many elements. */
  static int blocks(int capacity) {
    return Math.clamp(Math.ceilDiv(capacity, ROW), 1, MOST_BLOCKS);
  }

  static void search(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      IntArray first,
      int blocks,
      int keeps,
      int shapeAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int from = shape.get(shapeAt);
    int length = shape.get(shapeAt + 1);
    int found = Integer.MAX_VALUE;
    @Value int[] loaded = new @Value int[ROUND];
    for (int left = length - block * ROW - thread; left > 0; left -= blocks * ROW) {
      int at = length - left;
      for (int k = 0; k < ROUND; k++) {
        loaded[k] = Scalars.value(values.get(from + at + Scalars.min(k * THREADS, left - 1)));
      }
      for (int k = 0; k < ROUND; k++) {
        int position = at + Scalars.min(k * THREADS, left - 1);
        int is = Placeholder.test(loaded[k]) ? 1 : 0;
        found = Scalars.min(found, is == keeps ? position : Integer.MAX_VALUE);
      }
    }
    found = BlockReduce.min(context, thread, THREADS, found);
    if (thread == 0) {
      first.set(block, found);
    }
  }

  static void report(
      KernelContext context, IntArray first, IntArray position, int blocks, int positionAt) {
    int thread = context.localIdx;
    int found = Integer.MAX_VALUE;
    for (int at = thread; at < blocks; at += THREADS) {
      found = Scalars.min(found, first.get(at));
    }
    found = BlockReduce.min(context, thread, THREADS, found);
    if (thread == 0) {
      int runs = RunCounter.next(position.get(positionAt + 1));
      position.set(positionAt, found == Integer.MAX_VALUE ? -1 : found);
      position.set(positionAt + 1, runs);
    }
  }
}
