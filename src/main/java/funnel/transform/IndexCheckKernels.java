package funnel.transform;

import funnel.block.BlockReduce;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link IndexCheckStep}. */
final class IndexCheckKernels {

  /* As many blocks as fill a device each check rows of indices at a fixed distance, from the front;
   * one block finds the first position among their results. Loops count the rows that are left,
   * since positions could pass 2^31.
   */

  static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;
  static final int SIZE_AT = 2;

  static final int THREADS = 256;
  private static final int ROUND = 8;
  private static final int ROW = THREADS * ROUND;
  private static final int MOST_BLOCKS = 2048;

  private IndexCheckKernels() {}

  /** Blocks that check a number of indices. */
  static int blocks(int capacity) {
    return Math.clamp(Math.ceilDiv(capacity, ROW), 1, MOST_BLOCKS);
  }

  static void search(
      KernelContext context,
      IntArray shape,
      IntArray indices,
      IntArray first,
      @AtLaunch int blocks,
      int lowest,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int from = shape.get(shapeAt);
    int length = shape.get(shapeAt + LENGTH_AT);
    int size = shape.get(shapeAt + SIZE_AT);
    int last = size == Integer.MAX_VALUE ? size : size - 1;
    int found = Integer.MAX_VALUE;
    int[] loaded = new int[ROUND];
    for (int left = length - block * ROW - thread; left > 0; left -= blocks * ROW) {
      int at = length - left;
      for (int k = 0; k < ROUND; k++) {
        loaded[k] = indices.get(from + at + Scalars.min(k * THREADS, left - 1));
      }
      for (int k = 0; k < ROUND; k++) {
        int isOutside = (loaded[k] < lowest ? 1 : 0) | (loaded[k] > last ? 1 : 0);
        int position = at + Scalars.min(k * THREADS, left - 1);
        found = Scalars.min(found, isOutside == 1 ? position : Integer.MAX_VALUE);
      }
    }
    found = BlockReduce.min(context, thread, THREADS, found);
    if (thread == 0) {
      first.set(block, found);
    }
  }

  static void report(
      KernelContext context,
      IntArray shape,
      IntArray indices,
      IntArray first,
      IntArray refused,
      IntArray position,
      IntArray index,
      @AtLaunch int blocks,
      @AtLaunch int shapeAt,
      @AtLaunch int positionAt,
      @AtLaunch int indexAt) {
    int thread = context.localIdx;
    int from = shape.get(shapeAt);
    int length = shape.get(shapeAt + LENGTH_AT);
    int found = Integer.MAX_VALUE;
    for (int at = thread; at < blocks; at += THREADS) {
      found = Scalars.min(found, first.get(at));
    }
    found = BlockReduce.min(context, thread, THREADS, found);
    if (thread == 0) {
      int isFound = found < length ? 1 : 0;
      int outside = indices.get(isFound * (from + Scalars.min(found, Scalars.max(length - 1, 0))));
      int at = isFound == 1 ? found : -1;
      int runs = RunCounter.next(position.get(positionAt + 1));
      refused.set(0, at);
      position.set(positionAt, at);
      position.set(positionAt + 1, runs);
      index.set(indexAt, isFound * outside);
      index.set(indexAt + 1, runs);
    }
  }
}
