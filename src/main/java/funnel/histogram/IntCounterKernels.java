package funnel.histogram;

import funnel.block.BlockReduce;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Device form of a histogram's end, over counters of one type. */
@Twins("Long")
final class IntCounterKernels {

  /* Nothing may be written if a key is invalid or a count overflows, and blocks cannot wait. So one
   * launch checks counters for overflow, if there are counts to add to, and the next one writes
   * them. The check does not use the sum, since overflow is undefined in CUDA C. Each block of the
   * second launch finds out for itself whether it may write, from the few reports of earlier
   * blocks. Block 0 writes the results.
   */

  private static final int THREADS = HistogramShape.THREADS;

  private static final @Element int ZERO = 0;

  private IntCounterKernels() {}

  static void check(
      KernelContext context,
      IntArray shape,
      IntArray counts,
      @Element IntArray old,
      IntArray over,
      @Element int largest,
      @AtLaunch int shapeAt,
      int counters) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int oldAt = shape.get(shapeAt + HistogramShape.OLD);
    int threads = HistogramShape.counterBlocks(counters) * THREADS;
    int wrong = Integer.MAX_VALUE;
    for (int i = block * THREADS + thread; i < counters; i += threads) {
      @Element int room = largest - Scalars.max(old.get(oldAt + i), ZERO);
      wrong = counts.get(i) > room ? Scalars.min(wrong, i) : wrong;
    }
    wrong = BlockReduce.min(context, thread, THREADS, wrong);
    if (thread == 0) {
      over.set(block, wrong);
    }
  }

  /** Writes the output and the reports, unless a sample is not a key or a counter overflows. */
  static void finish(
      KernelContext context,
      IntArray shape,
      IntArray counts,
      IntArray tallies,
      IntArray over,
      @Element IntArray old,
      @Element IntArray output,
      LongArray first,
      LongArray second,
      LongArray third,
      LongArray overflow,
      @AtLaunch int shapeAt,
      int areKeys,
      int isAccumulating,
      int counters,
      @AtLaunch int blocks) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int outputAt = shape.get(shapeAt + HistogramShape.OUTPUT);
    int oldAt = shape.get(shapeAt + HistogramShape.OLD);
    int ownBlocks = HistogramShape.counterBlocks(counters);
    int wrong = CounterKernels.least(context, thread, tallies, 3 * blocks, blocks * areKeys);
    int overflowing = CounterKernels.least(context, thread, over, 0, ownBlocks * isAccumulating);
    int refused = (wrong < Integer.MAX_VALUE ? 1 : 0) | (overflowing < Integer.MAX_VALUE ? 1 : 0);
    int written = refused == 1 ? 0 : counters;
    for (int i = block * THREADS + thread; i < written; i += ownBlocks * THREADS) {
      @Element int count = counts.get(i);
      if (isAccumulating == 1) {
        count = count + old.get(oldAt + i);
      }
      output.set(outputAt + i, count);
    }
    if (block == 0) {
      int apart = blocks * (1 - areKeys);
      int below = CounterKernels.sum(context, thread, tallies, 0, apart);
      int above = CounterKernels.sum(context, thread, tallies, 1, apart);
      int nan = CounterKernels.sum(context, thread, tallies, 2, apart);
      if (thread == 0) {
        int overflowAt = shape.get(shapeAt + HistogramShape.OVERFLOW);
        overflow.set(overflowAt, overflowing < Integer.MAX_VALUE ? overflowing : -1);
        CounterKernels.tellOne(
            first,
            shape.get(shapeAt + HistogramShape.FIRST),
            second,
            shape.get(shapeAt + HistogramShape.SECOND),
            third,
            shape.get(shapeAt + HistogramShape.THIRD),
            tallies,
            areKeys,
            blocks,
            wrong,
            below,
            above,
            nan);
        overflow.set(overflowAt + 1, RunCounter.next((int) overflow.get(overflowAt + 1)));
      }
    }
  }

  /**
   * Sums rows of {@link ByteCounters}, writes the output and reports no error: any byte is a key,
   * and an int can count all elements of an array.
   */
  static void ofBytes(
      KernelContext context,
      IntArray shape,
      IntArray rows,
      @Element IntArray output,
      LongArray first,
      LongArray second,
      LongArray third,
      LongArray overflow,
      @AtLaunch int shapeAt,
      @AtLaunch int blocks) {
    int thread = context.localIdx;
    int outputAt = shape.get(shapeAt + HistogramShape.OUTPUT);
    int bin = ByteCounters.bin(context, thread);
    int sum = ByteCounters.sum(context, thread, rows, blocks, bin);
    if (thread < ByteCounters.TOGETHER) {
      @Element int count = sum;
      output.set(outputAt + bin, count);
      if (bin == 0) {
        CounterKernels.tellNone(
            first,
            shape.get(shapeAt + HistogramShape.FIRST),
            second,
            shape.get(shapeAt + HistogramShape.SECOND),
            third,
            shape.get(shapeAt + HistogramShape.THIRD),
            overflow,
            shape.get(shapeAt + HistogramShape.OVERFLOW));
      }
    }
  }
}
