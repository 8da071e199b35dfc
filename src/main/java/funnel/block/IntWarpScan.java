package funnel.block;

import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.BlockSize;
import uk.ac.manchester.tornado.api.KernelContext;

/** {@link WarpScan}, and the form of {@link BlockScan} that uses it, over one element type. */
@Twins("Float")
final class IntWarpScan {

  /* All lanes execute all shuffles; only the use of the results is conditional. The steps are a
   * loop, which TornadoVM unrolls: it counts a user-defined operator at each place where it is
   * inlined, and rejects methods that become too long.
   *
   * The block's form has one more scan, of the warps' totals by the first warp, with mirrored lanes
   * too. Lanes without a total have the identity: they are above all others, so no result depends
   * on them, but a user-defined operator must get only values or the identity. A block that is not
   * made of whole warps has lanes without a thread, whose values are undefined. It must not
   * compile, and does not, since its local array has a negative size.
   */

  private static final int LANES = 32;
  private static final int STEPS = 5;

  /** Elements of a local array that no device compiles: its size is the number of elements. */
  private static final int NONE = -1;

  private IntWarpScan() {}

  static @Element int inclusive(
      KernelContext context, int operator, int thread, @Element int value) {
    int position = WarpScan.element(thread) & (LANES - 1);
    @Element int running = value;
    for (int step = 0; step < STEPS; step++) {
      int distance = 1 << step;
      @Element int before = WarpScan.below(context, running, distance);
      if (position > distance - 1) {
        running = Combine.apply(operator, before, running);
      }
    }
    return running;
  }

  static @Element int exclusive(
      KernelContext context, int operator, int thread, @Element int value, @Element int identity) {
    @Element int inclusive = inclusive(context, operator, thread, value);
    @Element int before = WarpScan.below(context, inclusive, 1);
    int position = WarpScan.element(thread) & (LANES - 1);
    return position < 1 ? identity : before;
  }

  static @Element int ofBlock(
      KernelContext context,
      int operator,
      int thread,
      int threads,
      @Element int value,
      @Element int identity) {
    int warps = threads / LANES;
    int warp = thread / LANES;
    int position = WarpScan.element(thread) & (LANES - 1);
    BlockSize.require(threads);
    @Element int[] totals = context.allocateIntLocalArray(threads % LANES == 0 ? LANES : NONE);
    @Element int inWarp = inclusive(context, operator, thread, value);
    if (position == LANES - 1) {
      totals[warp] = inWarp;
    }
    context.localBarrier();
    if (thread < LANES) {
      @Element int total = identity;
      if (position < warps) {
        total = totals[position];
      }
      @Element int running = inclusive(context, operator, thread, total);
      if (position < warps) {
        totals[position] = running;
      }
    }
    context.localBarrier();
    @Element int result = inWarp;
    if (warp > 0) {
      result = Combine.apply(operator, totals[warp - 1], inWarp);
    }
    return result;
  }
}
