package funnel.docs;

import funnel.block.BlockExchange;
import funnel.block.BlockScan;
import funnel.block.WarpScan;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The examples of {@link BlockScan}, {@link WarpScan} and {@link BlockExchange}. */
final class ScanBlockSnippets {

  private ScanBlockSnippets() {}

  // @start region="tile"
  /**
   * Running totals within each tile of {@code threads * items} ints, and each tile's sum. One block
   * a tile; {@code threads} and {@code items} are constants of the kernel: scalar arguments of the
   * task.
   */
  static void runningTotals(
      KernelContext context, IntArray in, IntArray out, IntArray sums, int threads, int items) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int begin = block * threads * items;
    int end = in.getSize();
    int[] tile = BlockExchange.load(context, in, begin, end, 0, thread, threads, items);

    int sum = 0; // of this thread's consecutive items
    for (int item = 0; item < items; item++) {
      sum += tile[BlockExchange.slot(BlockExchange.blocked(thread, items, item), Integer.BYTES)];
    }
    int[] prefixes = BlockScan.prefixSums(context, thread, threads, sum);
    int running = prefixes[thread];
    for (int item = 0; item < items; item++) {
      int slot = BlockExchange.slot(BlockExchange.blocked(thread, items, item), Integer.BYTES);
      running += tile[slot];
      tile[slot] = running;
    }

    context.localBarrier(); // from here on, each thread has other elements of the tile
    for (int item = 0; item < items; item++) {
      int element = BlockExchange.striped(thread, threads, item);
      if (begin + element < end) {
        out.set(begin + element, tile[BlockExchange.slot(element, Integer.BYTES)]);
      }
    }
    if (thread == 0) {
      sums.set(block, prefixes[threads]);
    }
  }

  // @end

  // @start region="warp"
  /** Sums of each 32 neighbours of an array up to each; the array's length is a multiple of 32. */
  static void sumsOfWarps(KernelContext context, FloatArray in, FloatArray out) {
    int thread = context.localIdx;
    int element = WarpScan.element(context.globalIdx); // mirrored: the first one in the last lane
    float sum = WarpScan.inclusiveSum(context, thread, in.get(element)); // by all lanes
    if (element < out.getSize()) {
      out.set(element, sum);
    }
  }
  // @end
}
