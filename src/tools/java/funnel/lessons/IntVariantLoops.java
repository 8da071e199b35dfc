package funnel.lessons;

import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** JVM form of {@link VariantScan} over one element type. */
@Twins({"Long", "Float", "Double"})
final class IntVariantLoops implements VariantLoops {

  /* One thread processes the blocks in order. The purpose is to give the same bits as the kernels
   * and to state what they compute, not speed. Missing elements of the last block are the identity,
   * as in the kernels.
   *
   * The levels end where one block is enough, though the kernels have as many as the capacity
   * needs: the first block of a level stays as it is, so further levels change nothing. The chain
   * of blocks is computed by levels too: it is for integers, where only the order matters.
   *
   * Always run as a copy of this class in which Placeholder.operator() is a constant.
   */

  private static final int LANES = 32;

  private ScanVariant variant = ScanVariant.HILLIS_STEELE;
  private int threads;
  private @Element int identity;

  /** Called by the copies. */
  public IntVariantLoops() {}

  @Override
  public Number scan(VariantScan scan, MemorySegment values, MemorySegment output, int length) {
    variant = scan.variant();
    threads = scan.blockSize();
    identity = (@Element Integer) scan.operator().identity(scan.element());
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    level(values, output, length);
    return length == 0 ? identity : output.get(layout, (length - 1L) * layout.byteSize());
  }

  private void level(MemorySegment values, MemorySegment output, int length) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    @Element int[] items = new @Element int[variant.items() * threads];
    @Element int[] totals = new @Element int[Math.ceilDiv(length, items.length)];
    for (int block = 0; block < totals.length; block++) {
      int count = Math.min(items.length, length - block * items.length);
      long at = (long) block * items.length * layout.byteSize();
      MemorySegment.copy(values, layout, at, items, 0, count);
      Arrays.fill(items, count, items.length, identity);
      scanBlock(items);
      totals[block] = items[items.length - 1];
      MemorySegment.copy(items, 0, output, layout, at, count);
    }
    if (totals.length > 1) {
      MemorySegment scanned = MemorySegment.ofArray(totals);
      level(scanned, scanned, totals.length);
      for (int i = items.length; i < length; i++) {
        long at = i * layout.byteSize();
        @Element int before = totals[i / items.length - 1];
        output.set(layout, at, combine(before, output.get(layout, at)));
      }
    }
  }

  private void scanBlock(@Element int[] items) {
    switch (variant) {
      case HILLIS_STEELE -> logSteps(items, 0, threads);
      case BLELLOCH -> upAndDown(items);
      case WARP_SHUFFLE -> byWarps(items);
      case SCAN_THEN_PROPAGATE, CHAINED -> twoLevels(items);
    }
  }

  private void logSteps(@Element int[] items, int from, int to) {
    for (int distance = 1; distance < to - from; distance *= 2) {
      for (int i = to - 1; i >= from + distance; i--) {
        items[i] = combine(items[i - distance], items[i]);
      }
    }
  }

  private void upAndDown(@Element int[] items) {
    @Element int[] tree = items.clone();
    for (int stride = 1; stride < threads; stride *= 2) {
      for (int right = 2 * stride - 1; right < threads; right += 2 * stride) {
        tree[right] = combine(tree[right - stride], tree[right]);
      }
    }
    tree[threads - 1] = identity;
    for (int stride = threads / 2; stride > 0; stride /= 2) {
      for (int right = 2 * stride - 1; right < threads; right += 2 * stride) {
        @Element int sum = tree[right - stride];
        tree[right - stride] = tree[right];
        tree[right] = combine(tree[right], sum);
      }
    }
    for (int i = 0; i < threads; i++) {
      items[i] = combine(tree[i], items[i]);
    }
  }

  private void byWarps(@Element int[] items) {
    @Element int[] totals = new @Element int[threads / LANES];
    for (int warp = 0; warp < totals.length; warp++) {
      logSteps(items, warp * LANES, (warp + 1) * LANES);
      totals[warp] = items[(warp + 1) * LANES - 1];
    }
    logSteps(totals, 0, totals.length);
    for (int i = LANES; i < threads; i++) {
      items[i] = combine(totals[i / LANES - 1], items[i]);
    }
  }

  /** As {@link funnel.block.BlockScan#exclusive} over the threads' sums. */
  private void twoLevels(@Element int[] items) {
    int each = items.length / threads;
    int group = threads > 256 ? 32 : 16;
    @Element int before = identity;
    for (int first = 0; first < threads; first += group) {
      @Element int inGroup = identity;
      for (int thread = first; thread < first + group; thread++) {
        @Element int running = combine(before, inGroup);
        @Element int sum = items[thread * each];
        for (int item = 1; item < each; item++) {
          sum = combine(sum, items[thread * each + item]);
        }
        inGroup = combine(inGroup, sum);
        for (int item = thread * each; item < (thread + 1) * each; item++) {
          running = combine(running, items[item]);
          items[item] = running;
        }
      }
      before = combine(before, inGroup);
    }
  }

  private @Element int combine(@Element int left, @Element int right) {
    return Combine.apply(Placeholder.operator(), left, right);
  }
}
