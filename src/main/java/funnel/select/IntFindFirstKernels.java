package funnel.select;

import funnel.block.BlockReduce;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link FindFirstStep}. */
@Twins({"Long", "Float", "Double", "Byte"})
final class IntFindFirstKernels {

  /* As many blocks as fill a device each search rows at a fixed distance, from the front; one block
   * finds the first position among their results. Loops count the rows that are left, since
   * positions could pass 2^31. All loads of a row come before the first predicate, into variables:
   * a private array stays in memory on one backend.
   */

  static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;

  static final int THREADS = 256;
  private static final int ROW = 8 * THREADS;
  private static final int MOST_BLOCKS = 2048;

  private IntFindFirstKernels() {}

  static int blocks(int capacity) {
    return Math.clamp(Math.ceilDiv(capacity, ROW), 1, MOST_BLOCKS);
  }

  /** The position of a matching element, else the largest int. */
  private static int place(int keeps, @Value int value, int position) {
    int is = Placeholder.test(position, value) ? 1 : 0;
    return is == keeps ? position : Integer.MAX_VALUE;
  }

  static void search(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      IntArray first,
      @AtLaunch int blocks,
      int keeps,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int from = shape.get(shapeAt);
    int length = shape.get(shapeAt + LENGTH_AT);
    int found = Integer.MAX_VALUE;
    for (int left = length - block * ROW - thread; left > 0; left -= blocks * ROW) {
      int at = length - left;
      int p1 = at + Scalars.min(THREADS, left - 1);
      int p2 = at + Scalars.min(2 * THREADS, left - 1);
      int p3 = at + Scalars.min(3 * THREADS, left - 1);
      int p4 = at + Scalars.min(4 * THREADS, left - 1);
      int p5 = at + Scalars.min(5 * THREADS, left - 1);
      int p6 = at + Scalars.min(6 * THREADS, left - 1);
      int p7 = at + Scalars.min(7 * THREADS, left - 1);
      @Value int v0 = Scalars.value(values.get(from + at));
      @Value int v1 = Scalars.value(values.get(from + p1));
      @Value int v2 = Scalars.value(values.get(from + p2));
      @Value int v3 = Scalars.value(values.get(from + p3));
      @Value int v4 = Scalars.value(values.get(from + p4));
      @Value int v5 = Scalars.value(values.get(from + p5));
      @Value int v6 = Scalars.value(values.get(from + p6));
      @Value int v7 = Scalars.value(values.get(from + p7));
      found = Scalars.min(found, place(keeps, v0, at));
      found = Scalars.min(found, place(keeps, v1, p1));
      found = Scalars.min(found, place(keeps, v2, p2));
      found = Scalars.min(found, place(keeps, v3, p3));
      found = Scalars.min(found, place(keeps, v4, p4));
      found = Scalars.min(found, place(keeps, v5, p5));
      found = Scalars.min(found, place(keeps, v6, p6));
      found = Scalars.min(found, place(keeps, v7, p7));
    }
    found = BlockReduce.min(context, thread, THREADS, found);
    if (thread == 0) {
      first.set(block, found);
    }
  }

  static void report(
      KernelContext context,
      IntArray first,
      IntArray position,
      @AtLaunch int blocks,
      @AtLaunch int positionAt) {
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
