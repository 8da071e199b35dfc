package funnel.histogram;

import funnel.block.BlockReduce;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels over counters before and after the counting, for any types. */
final class CounterKernels {

  private static final int THREADS = HistogramShape.THREADS;

  private CounterKernels() {}

  /** Threads that sum the counts of a number of blocks. */
  static int totalThreads(int blocks) {
    return blocks > HistogramShape.COUNTING_THREADS ? THREADS : 32;
  }

  /** Sets {@code counters} counters to zero and extracts edges from the shape array. */
  static void clear(
      KernelContext context,
      IntArray shape,
      IntArray counts,
      LongArray edges,
      DoubleArray limits,
      @AtLaunch int shapeAt,
      int counters,
      int edgeCount,
      int limitCount) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int most = Scalars.max(counters, Scalars.max(edgeCount, limitCount));
    int threads = HistogramShape.counterBlocks(most) * THREADS;
    for (int i = block * THREADS + thread; i < most; i += threads) {
      if (i < counters) {
        counts.set(i, 0);
      }
      if (i < edgeCount) {
        edges.set(i, bits(shape, shapeAt, i));
      }
      if (i < limitCount) {
        limits.set(i, Scalars.ofBits(bits(shape, shapeAt, i), 0d));
      }
    }
  }

  private static long bits(IntArray shape, int shapeAt, int i) {
    int at = shapeAt + HistogramShape.EDGES + 2 * i;
    return ((long) shape.get(at) << 32) | (shape.get(at + 1) & 0xffffffffL);
  }

  /** Sums the counts of {@code blocks} blocks in each counter. */
  static void totals(
      KernelContext context, IntArray rows, IntArray counts, @AtLaunch int blocks, int threads) {
    int thread = context.localIdx;
    int counter = context.groupIdx;
    int sum = 0;
    for (int i = thread; i < blocks; i += threads) {
      sum = sum + rows.get(counter * blocks + i);
    }
    sum = BlockReduce.sum(context, thread, threads, sum);
    if (thread == 0) {
      counts.set(counter, sum);
    }
  }

  static int sum(KernelContext context, int thread, IntArray tallies, int row, int blocks) {
    int sum = 0;
    for (int i = thread; i < blocks; i += THREADS) {
      sum = sum + tallies.get(row * blocks + i);
    }
    return BlockReduce.sum(context, thread, THREADS, sum);
  }

  /** The smallest of some ints, from a place on. */
  static int least(KernelContext context, int thread, IntArray ints, int at, int count) {
    int least = Integer.MAX_VALUE;
    for (int i = thread; i < count; i += THREADS) {
      least = Scalars.min(least, ints.get(at + i));
    }
    return BlockReduce.min(context, thread, THREADS, least);
  }

  /** The sample at a position that a block has reported as not a key. */
  static long keyAt(IntArray tallies, int position, int blocks) {
    long key = 0;
    for (int i = 0; i < blocks; i++) {
      if (tallies.get(3 * blocks + i) == position) {
        int upper = tallies.get(4 * blocks + i);
        int lower = tallies.get(5 * blocks + i);
        key = ((long) upper << 32) | (lower & 0xffffffffL);
      }
    }
    return key;
  }

  /**
   * Writes the reports on samples in no bin, as the three results of {@link Outside}.
   *
   * @param refused receives the position of the first sample that is not a key, or -1
   */
  static void tell(
      KernelContext context,
      IntArray tallies,
      IntArray refused,
      LongArray first,
      LongArray second,
      LongArray third,
      int areKeys,
      @AtLaunch int blocks,
      @AtLaunch int firstAt,
      @AtLaunch int secondAt,
      @AtLaunch int thirdAt) {
    int thread = context.localIdx;
    int wrong = least(context, thread, tallies, 3 * blocks, blocks * areKeys);
    int apart = blocks * (1 - areKeys);
    int below = sum(context, thread, tallies, 0, apart);
    int above = sum(context, thread, tallies, 1, apart);
    int nan = sum(context, thread, tallies, 2, apart);
    if (thread == 0) {
      refused.set(0, wrong < Integer.MAX_VALUE ? wrong : -1);
      tellOne(
          first, firstAt, second, secondAt, third, thirdAt, tallies, areKeys, blocks, wrong, below,
          above, nan);
    }
  }

  /** Writes the three results and their run counters, in one thread. */
  static void tellOne(
      LongArray first,
      int firstAt,
      LongArray second,
      int secondAt,
      LongArray third,
      int thirdAt,
      IntArray tallies,
      int areKeys,
      int blocks,
      int wrong,
      int below,
      int above,
      int nan) {
    int isWrong = wrong < Integer.MAX_VALUE ? 1 : 0;
    long key = keyAt(tallies, wrong, blocks * isWrong);
    int position = isWrong == 1 ? wrong : -1;
    first.set(firstAt, areKeys == 1 ? position : below);
    second.set(secondAt, areKeys == 1 ? key : above);
    third.set(thirdAt, nan);
    int runs = RunCounter.next((int) first.get(firstAt + 1));
    first.set(firstAt + 1, runs);
    second.set(secondAt + 1, runs);
    third.set(thirdAt + 1, runs);
  }

  /** Reports that no sample is outside and no counter has overflowed, in one thread. */
  static void tellNone(
      LongArray first,
      int firstAt,
      LongArray second,
      int secondAt,
      LongArray third,
      int thirdAt,
      LongArray overflow,
      int overflowAt) {
    first.set(firstAt, -1);
    second.set(secondAt, 0);
    third.set(thirdAt, 0);
    overflow.set(overflowAt, -1);
    int runs = RunCounter.next((int) first.get(firstAt + 1));
    first.set(firstAt + 1, runs);
    second.set(secondAt + 1, runs);
    third.set(thirdAt + 1, runs);
    overflow.set(overflowAt + 1, runs);
  }
}
