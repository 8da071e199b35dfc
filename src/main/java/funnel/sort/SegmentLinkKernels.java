package funnel.sort;

import funnel.block.BlockReduce;
import funnel.block.BlockScan;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operator.OperatorCode;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Where segments begin around each tile, in the device form of a {@link SegmentedSortStep}. */
final class SegmentLinkKernels {

  /* One thread per tile finds the tile's first and last head; with those of blocks of tiles, which
   * each block reads, two scans of tiles follow, one of them backwards.
   */

  private static final int THREADS = IntSegmentedSortKernels.THREADS;
  private static final int TILE = IntSegmentedSortKernels.TILE;
  private static final int WORD = Integer.SIZE;

  private SegmentLinkKernels() {}

  /** The highest bit that is set. */
  private static int highestOfAll(int bits) {
    return bits < 0 ? WORD - 1 : IntSegmentedSortKernels.highest(bits & Integer.MAX_VALUE);
  }

  /** Finds the first and the last head in each tile, and in each block of tiles. */
  static void find(
      KernelContext context,
      IntArray shape,
      IntArray bits,
      IntArray firsts,
      IntArray lasts,
      IntArray groups,
      IntArray needed,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int group = context.groupIdx;
    int length = shape.get(shapeAt);
    int tiles = shape.get(shapeAt + IntSegmentedSortKernels.TILES);
    int tile = group * THREADS + thread;
    int rest = length & (WORD - 1);
    int words = length / WORD + (rest > 0 ? 1 : 0);
    int ofLast = rest == 0 ? -1 : (1 << rest) - 1;
    int from = tile * (TILE / WORD);
    int until = tile < tiles ? Scalars.min(from + TILE / WORD, words) : from;
    int first = length;
    int last = -1;
    for (int w = from; w < until; w++) {
      int word = bits.get(w) & (w == words - 1 ? ofLast : -1);
      first =
          word == 0 ? first : Scalars.min(first, w * WORD + IntSegmentedSortKernels.lowest(word));
      last = word == 0 ? last : w * WORD + highestOfAll(word);
    }
    if (tile < tiles) {
      firsts.set(tile, first);
      lasts.set(tile, last);
    }
    first = BlockReduce.min(context, thread, THREADS, first);
    last = BlockReduce.max(context, thread, THREADS, last);
    if (thread == 0) {
      groups.set(2 * group, first);
      groups.set(2 * group + 1, last);
    }
    if (group == 0 & thread < IntSegmentedSortKernels.NEEDED) {
      needed.set(thread, 0);
    }
  }

  /** Finds where the last segment before each tile begins, and the first one from there on. */
  static void link(
      KernelContext context,
      IntArray shape,
      IntArray firsts,
      IntArray lasts,
      IntArray groups,
      IntArray previous,
      IntArray next,
      IntArray needed,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int group = context.groupIdx;
    int length = shape.get(shapeAt);
    int tiles = shape.get(shapeAt + IntSegmentedSortKernels.TILES);
    int tile = group * THREADS + thread;
    int before = -1;
    for (int g = thread; g < group; g += THREADS) {
      before = Scalars.max(before, groups.get(2 * g + 1));
    }
    before = BlockReduce.max(context, thread, THREADS, before);
    int after = length;
    for (int g = group + 1 + thread; g <= tiles / THREADS; g += THREADS) {
      after = Scalars.min(after, groups.get(2 * g));
    }
    after = BlockReduce.min(context, thread, THREADS, after);
    int first = length;
    int last = -1;
    if (tile < tiles) {
      first = firsts.get(tile);
      last = lasts.get(tile);
    }
    last = BlockScan.exclusive(context, OperatorCode.MAX, thread, THREADS, last, -1);
    int[] mirrored = context.allocateIntLocalArray(THREADS);
    mirrored[THREADS - 1 - thread] = first;
    context.localBarrier();
    first = mirrored[thread];
    first =
        BlockScan.inclusive(context, OperatorCode.MIN, thread, THREADS, first, Integer.MAX_VALUE);
    mirrored[thread] = first;
    context.localBarrier();
    int start = Scalars.max(before, last);
    int end = Scalars.min(after, mirrored[THREADS - 1 - thread]);
    int levels = 0;
    if (tile <= tiles) {
      previous.set(tile, start);
      next.set(tile, end);
    }
    if (tile < tiles & start >= 0) {
      levels = IntSegmentedSortKernels.levels(end - start);
    }
    levels = BlockReduce.max(context, thread, THREADS, levels);
    if (thread < levels) {
      needed.set(thread, 1);
    }
  }
}
