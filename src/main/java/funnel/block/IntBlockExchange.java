package funnel.block;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.BlockSize;
import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** {@link BlockExchange} over one element type. */
@Twins({"Long", "Float", "Double"})
final class IntBlockExchange {

  /* No branch around the load: past the end it loads the last element instead and drops it, so that
   * all loads of a thread are in flight at once.
   */

  private IntBlockExchange() {}

  static @Element int[] load(
      KernelContext context,
      @Element IntArray in,
      int begin,
      int end,
      @Element int outside,
      int thread,
      int threads,
      int items,
      int bytes) {
    BlockSize.require(threads);
    @Element
    int[] tile = context.allocateIntLocalArray(BlockExchange.length(threads * items, bytes));
    int last = end - begin - 1;
    for (int item = 0; item < items; item++) {
      int element = BlockExchange.striped(thread, threads, item);
      @Element int loaded = in.get(begin + Scalars.min(element, last));
      tile[BlockExchange.slot(element, bytes)] = element > last ? outside : loaded;
    }
    context.localBarrier();
    return tile;
  }
}
