package funnel.histogram;

import funnel.block.BlockReduce;
import funnel.engine.RunCounter;
import funnel.jit.Element;
import funnel.jit.KernelTask;
import funnel.jit.Scalars;
import funnel.jit.Twins;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Device form of a histogram's end, over counters of one type. */
@Twins("Long")
final class IntCounterKernels implements CounterTasks {

  /* Nothing may be written if anything is refused, and blocks cannot wait for each other: so one
   * launch looks for counters that overflow, if there are counts to add to, and the next one writes
   * them. The sum is not looked at, since an overflow is nothing that CUDA C defines. Each of its blocks finds out for itself whether anything is refused, from the few numbers
   * that blocks before it have left. Block 0 tells the results.
   */

  private static final int THREADS = HistogramShape.THREADS;

  private static final @Element int ZERO = 0;

  IntCounterKernels() {}

  @Override
  public KernelTask check(String id, Arguments a) {
    int counters = a.bins().counters();
    return KernelTask.of(
        id,
        KernelTask.Grid.of(HistogramShape.counterBlocks(counters), THREADS),
        IntCounterKernels::check,
        a.shape(),
        a.counts(),
        (@Element IntArray) a.old(),
        a.over(),
        (@Element Integer) a.largest(),
        a.shapeAt(),
        counters);
  }

  static void check(
      KernelContext context,
      IntArray shape,
      IntArray counts,
      @Element IntArray old,
      IntArray over,
      @Element int largest,
      int shapeAt,
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

  @Override
  public KernelTask finish(String id, Arguments a) {
    int counters = a.bins().counters();
    return KernelTask.of(
        id,
        KernelTask.Grid.of(HistogramShape.counterBlocks(counters), THREADS),
        IntCounterKernels::finish,
        a.shape(),
        a.counts(),
        a.tallies(),
        a.over(),
        (@Element IntArray) a.old(),
        (@Element IntArray) a.output(),
        a.first(),
        a.second(),
        a.third(),
        a.overflow(),
        a.shapeAt(),
        (a.bins().areKeys() ? 1 : 0) + 2 * (a.isAccumulating() ? 1 : 0),
        counters,
        a.blocks(),
        a.firstAt() * 4096 + a.secondAt(),
        a.thirdAt() * 4096 + a.overflowAt());
  }

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
      int shapeAt,
      int layout,
      int counters,
      int blocks,
      int firstPlaces,
      int lastPlaces) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int areKeys = layout & 1;
    int isAccumulating = layout / 2;
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
        int overflowAt = lastPlaces & 4095;
        overflow.set(overflowAt, overflowing < Integer.MAX_VALUE ? overflowing : -1);
        CounterKernels.tellOne(
            first,
            firstPlaces / 4096,
            second,
            firstPlaces & 4095,
            third,
            lastPlaces / 4096,
            tallies,
            areKeys,
            blocks,
            wrong,
            below,
            above,
            nan);
        int runs = (int) overflow.get(overflowAt + 1) + 1;
        overflow.set(overflowAt + 1, runs > RunCounter.LAST ? 0 : runs);
      }
    }
  }

  @Override
  public KernelTask ofBytes(String id, Arguments a, IntArray rows, int rowCount) {
    return KernelTask.of(
        id,
        ByteCounters.TOTALS,
        IntCounterKernels::ofBytes,
        a.shape(),
        rows,
        (@Element IntArray) a.output(),
        a.first(),
        a.second(),
        a.third(),
        a.overflow(),
        a.shapeAt(),
        rowCount,
        a.firstAt() * 4096 + a.secondAt(),
        a.thirdAt() * 4096 + a.overflowAt());
  }

  static void ofBytes(
      KernelContext context,
      IntArray shape,
      IntArray rows,
      @Element IntArray output,
      LongArray first,
      LongArray second,
      LongArray third,
      LongArray overflow,
      int shapeAt,
      int rowCount,
      int firstPlaces,
      int lastPlaces) {
    int thread = context.localIdx;
    int outputAt = shape.get(shapeAt + HistogramShape.OUTPUT);
    int bin = ByteCounters.bin(context, thread);
    int sum = ByteCounters.sum(context, thread, rows, rowCount, bin);
    if (thread < ByteCounters.TOGETHER) {
      @Element int count = sum;
      output.set(outputAt + bin, count);
      if (bin == 0) {
        CounterKernels.tellNone(
            first,
            firstPlaces / 4096,
            second,
            firstPlaces & 4095,
            third,
            lastPlaces / 4096,
            overflow,
            lastPlaces & 4095);
      }
    }
  }
}
