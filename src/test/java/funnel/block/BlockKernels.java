package funnel.block;

import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels in which every thread writes down what each collective gave it. */
final class BlockKernels implements BlockKernelTasks {

  /** For the copies that are made with a user's operator. */
  public BlockKernels() {}

  @Override
  public KernelTask inOrder(LongArray in, LongArray out, int blocks, int threads, int operator) {
    return KernelTask.of(
        "inOrder", Grid.of(blocks, threads), BlockKernels::inOrder, in, out, threads, operator);
  }

  static void inOrder(
      KernelContext context, LongArray in, LongArray out, int threads, int operator) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    out.set(at, BlockReduce.reduceInOrder(context, operator, thread, threads, in.get(at)));
  }

  /** Count, all and any of what is above zero. */
  static void votes(KernelContext context, IntArray in, IntArray out, int threads) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    boolean holds = in.get(at) > 0;
    int count = BlockVote.count(context, thread, threads, holds);
    boolean all = BlockVote.all(context, thread, threads, holds);
    boolean any = BlockVote.any(context, thread, threads, holds);
    out.set(3 * at, count);
    out.set(3 * at + 1, all ? 1 : 0);
    out.set(3 * at + 2, any ? 1 : 0);
  }

  static void allInts(KernelContext context, IntArray in, IntArray out, int threads, int operator) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    int value = in.get(at);
    out.set(6 * at, BlockReduce.sum(context, thread, threads, value));
    out.set(6 * at + 1, BlockReduce.product(context, thread, threads, value));
    out.set(6 * at + 2, BlockReduce.min(context, thread, threads, value));
    out.set(6 * at + 3, BlockReduce.max(context, thread, threads, value));
    out.set(6 * at + 4, BlockReduce.reduce(context, operator, thread, threads, value));
    out.set(6 * at + 5, BlockReduce.reduceInOrder(context, operator, thread, threads, value));
  }

  static void allLongs(
      KernelContext context, LongArray in, LongArray out, int threads, int operator) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    long value = in.get(at);
    out.set(6 * at, BlockReduce.sum(context, thread, threads, value));
    out.set(6 * at + 1, BlockReduce.product(context, thread, threads, value));
    out.set(6 * at + 2, BlockReduce.min(context, thread, threads, value));
    out.set(6 * at + 3, BlockReduce.max(context, thread, threads, value));
    out.set(6 * at + 4, BlockReduce.reduce(context, operator, thread, threads, value));
    out.set(6 * at + 5, BlockReduce.reduceInOrder(context, operator, thread, threads, value));
  }

  static void allFloats(
      KernelContext context, FloatArray in, FloatArray out, int threads, int operator) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    float value = in.get(at);
    out.set(6 * at, BlockReduce.sum(context, thread, threads, value));
    out.set(6 * at + 1, BlockReduce.product(context, thread, threads, value));
    out.set(6 * at + 2, BlockReduce.min(context, thread, threads, value));
    out.set(6 * at + 3, BlockReduce.max(context, thread, threads, value));
    out.set(6 * at + 4, BlockReduce.reduce(context, operator, thread, threads, value));
    out.set(6 * at + 5, BlockReduce.reduceInOrder(context, operator, thread, threads, value));
  }

  static void allDoubles(
      KernelContext context, DoubleArray in, DoubleArray out, int threads, int operator) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    double value = in.get(at);
    out.set(6 * at, BlockReduce.sum(context, thread, threads, value));
    out.set(6 * at + 1, BlockReduce.product(context, thread, threads, value));
    out.set(6 * at + 2, BlockReduce.min(context, thread, threads, value));
    out.set(6 * at + 3, BlockReduce.max(context, thread, threads, value));
    out.set(6 * at + 4, BlockReduce.reduce(context, operator, thread, threads, value));
    out.set(6 * at + 5, BlockReduce.reduceInOrder(context, operator, thread, threads, value));
  }
}
