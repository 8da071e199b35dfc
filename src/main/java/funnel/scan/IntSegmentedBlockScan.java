package funnel.scan;

import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Twins;
import uk.ac.manchester.tornado.api.KernelContext;

/** The scan of a block's pairs of a flag and a value: see {@link SegmentedTree}. */
@Twins({"Long", "Float", "Double"})
final class IntSegmentedBlockScan {

  /* The two levels, the padding and the selection of the identity are those of
   * funnel.block.BlockScan. A method can return only one value. The running value is enough: what
   * comes before the block is given and counts as part of the last segment there, so no flag is
   * needed.
   */

  private static final int THREADS = SegmentedTree.THREADS;
  private static final int GROUP = 16;
  private static final int GROUPS = THREADS / GROUP;

  private IntSegmentedBlockScan() {}

  /**
   * The running value of the last segment before this thread, including {@code start} if that
   * segment began before the block.
   */
  static @Element int exclusive(
      KernelContext context,
      int operator,
      int thread,
      int flag,
      @Element int value,
      @Element int start,
      @Element int identity) {
    @Element int[] values = context.allocateIntLocalArray(THREADS + GROUPS);
    int[] flags = context.allocateIntLocalArray(THREADS + GROUPS);
    int mine = thread / GROUP;
    @Element int none = thread < THREADS ? identity : value;
    values[thread + mine] = value;
    flags[thread + mine] = flag;
    context.localBarrier();
    if (thread < GROUPS) {
      int first = thread * (GROUP + 1);
      @Element int running = none;
      int seen = 0;
      for (int k = 0; k < GROUP; k++) {
        @Element int next = values[first + k];
        int head = flags[first + k];
        values[first + k] = running;
        flags[first + k] = seen;
        running = Combine.apply(operator, head == 1 ? none : running, next);
        seen = seen | head;
      }
      values[first + GROUP] = running;
      flags[first + GROUP] = seen;
    }
    context.localBarrier();
    @Element int before = start;
    for (int i = 0; i < GROUPS - 1; i++) {
      @Element int total = values[i * (GROUP + 1) + GROUP];
      int head = flags[i * (GROUP + 1) + GROUP];
      if (i < mine) {
        before = Combine.apply(operator, head == 1 ? none : before, total);
      }
    }
    @Element int inGroup = values[thread + mine];
    return Combine.apply(operator, flags[thread + mine] == 1 ? none : before, inGroup);
  }
}
