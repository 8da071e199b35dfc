package funnel.histogram;

import funnel.block.BlockReduce;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Checks the tiles of samples that are counted in several passes, before the first pass. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntTileKernels {

  /* A tile whose samples are all in one counter is read here only, not by a pass: its count is its
   * length. A block has a tile, and each of its threads stops after its first samples in another
   * counter, so that of well-spread samples 256 in 15,872 are read. Reads past the end repeat the
   * last sample.
   */

  private static final int THREADS = HistogramShape.COUNTING_THREADS;
  private static final int FEW = HistogramShape.FEW;

  private IntTileKernels() {}

  private static int number(
      int kind,
      int bins,
      int position,
      @Element int x,
      long low,
      long range,
      long factor,
      double from,
      double to,
      double scale,
      LongArray edges,
      DoubleArray limits,
      int top) {
    @Value int value = Placeholder.map(position, Scalars.value(x));
    return BinRule.number(
        kind, value, bins, low, range, factor, from, to, scale, edges, limits, top);
  }

  /**
   * Stores in {@code alike} the counter of all samples of a tile, or -1, for samples of one
   * channel.
   */
  static void alike(
      KernelContext context,
      IntArray shape,
      @Element IntArray samples,
      IntArray alike,
      LongArray edges,
      DoubleArray limits,
      @AtLaunch int shapeAt,
      int kind,
      int bins,
      long low,
      long range,
      long factor,
      double from,
      double to,
      double scale) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int offset = shape.get(shapeAt + HistogramShape.OFFSET);
    int length = shape.get(shapeAt + HistogramShape.LENGTH);
    int top = shape.get(shapeAt + HistogramShape.TOP);
    int isThere = tile < shape.get(shapeAt + HistogramShape.TILES) ? 1 : 0;
    int most = shape.get(shapeAt + HistogramShape.ROUNDS) * (HistogramShape.ROUND * THREADS);
    int start = tile * isThere * most;
    int items = Scalars.min(length - start, most) * isThere;
    int last = items - 1;
    int counter = bins;
    if (isThere == 1) {
      @Element int x = samples.get(offset + start);
      counter =
          number(kind, bins, start, x, low, range, factor, from, to, scale, edges, limits, top);
    }
    int differ = counter < bins ? 0 : 1;
    int end = differ == 0 ? items : 0;
    for (int i = thread; i < end; i += FEW * THREADS) {
      int p0 = start + i;
      int p1 = start + Scalars.min(i + THREADS, last);
      int p2 = start + Scalars.min(i + 2 * THREADS, last);
      int p3 = start + Scalars.min(i + 3 * THREADS, last);
      @Element int x0 = samples.get(offset + p0);
      @Element int x1 = samples.get(offset + p1);
      @Element int x2 = samples.get(offset + p2);
      @Element int x3 = samples.get(offset + p3);
      int c0 = number(kind, bins, p0, x0, low, range, factor, from, to, scale, edges, limits, top);
      int c1 = number(kind, bins, p1, x1, low, range, factor, from, to, scale, edges, limits, top);
      int c2 = number(kind, bins, p2, x2, low, range, factor, from, to, scale, edges, limits, top);
      int c3 = number(kind, bins, p3, x3, low, range, factor, from, to, scale, edges, limits, top);
      differ = (c0 ^ counter) | (c1 ^ counter) | (c2 ^ counter) | (c3 ^ counter);
      end = differ == 0 ? end : 0;
    }
    int differing = BlockReduce.sum(context, thread, THREADS, differ == 0 ? 0 : 1);
    if (thread == 0 & isThere == 1) {
      alike.set(tile, differing == 0 ? counter : -1);
    }
  }
}
