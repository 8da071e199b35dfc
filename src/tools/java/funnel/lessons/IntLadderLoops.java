package funnel.lessons;

import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** JVM form of {@link Ladder} over one element type. */
@Twins({"Long", "Float", "Double"})
final class IntLadderLoops implements LadderLoops {

  /* One thread processes the blocks in order. The purpose is to give the same bits as the kernels
   * and to state what they compute, not speed. Always run as a copy of this class in which
   * Placeholder.operator() is a constant.
   */

  /** Called by the copies. */
  public IntLadderLoops() {}

  @Override
  public Number reduce(
      MemorySegment values,
      int length,
      LadderVariant variant,
      int threads,
      int launches,
      Number identity) {
    @Element int start = (@Element Integer) identity;
    MemorySegment from = values;
    int count = length;
    @Element int result = start;
    for (int launch = 0; launch < launches; launch++) {
      int ofBlock = variant.fold() * threads;
      int needed = Math.max(1, Math.ceilDiv(count, ofBlock));
      @Element int[] partials = blocks(from, count, ofBlock, needed, variant, threads, start);
      from = MemorySegment.ofArray(partials);
      count = needed;
      result = partials[0];
    }
    return result;
  }

  /** Each block's result; a block has {@code ofBlock} elements. */
  private static @Element int[] blocks(
      MemorySegment values,
      int length,
      int ofBlock,
      int blocks,
      LadderVariant variant,
      int threads,
      @Element int identity) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    @Element int[] elements = new @Element int[Math.min(ofBlock, length)];
    @Element int[] partials = new @Element int[blocks];
    for (int block = 0; block < blocks; block++) {
      long begin = (long) block * ofBlock;
      int items = Math.clamp(length - begin, 0, ofBlock);
      if (items > 0) {
        MemorySegment.copy(values, layout, begin * layout.byteSize(), elements, 0, items);
      }
      partials[block] = combined(elements, items, variant, threads, identity);
    }
    return partials;
  }

  /** One block's result: each thread's fold, then the tree. */
  private static @Element int combined(
      @Element int[] elements,
      int items,
      LadderVariant variant,
      int threads,
      @Element int identity) {
    @Element int[] scratch = new @Element int[threads];
    for (int thread = 0; thread < threads; thread++) {
      scratch[thread] = folded(elements, items, thread, variant, threads, identity);
    }
    return tree(scratch, variant.isOrdered());
  }

  private static @Element int tree(@Element int[] scratch, boolean ordered) {
    int threads = scratch.length;
    if (ordered) {
      for (int stride = 1; stride < threads; stride *= 2) {
        for (int left = 0; left < threads; left += 2 * stride) {
          scratch[left] = combine(scratch[left], scratch[left + stride]);
        }
      }
    } else {
      for (int stride = threads / 2; stride > 0; stride /= 2) {
        for (int left = 0; left < stride; left++) {
          scratch[left] = combine(scratch[left], scratch[left + stride]);
        }
      }
    }
    return scratch[0];
  }

  /** One thread's fold of its elements, which are {@code threads} apart. */
  private static @Element int folded(
      @Element int[] elements,
      int items,
      int thread,
      LadderVariant variant,
      int threads,
      @Element int identity) {
    if (variant.fold() == 1) {
      return thread < items ? elements[thread] : identity;
    }
    if (variant.fold() == 2) {
      @Element int first = thread < items ? elements[thread] : identity;
      @Element int second = thread + threads < items ? elements[thread + threads] : identity;
      return combine(first, second);
    }
    return combine(
        four(elements, items, thread, threads, identity),
        four(elements, items, thread + 4 * threads, threads, identity));
  }

  private static @Element int four(
      @Element int[] elements, int items, int from, int step, @Element int identity) {
    @Element int sum = from < items ? elements[from] : identity;
    for (int c = 1; c < 4; c++) {
      int item = from + c * step;
      @Element int value = item < items ? elements[item] : identity;
      sum = combine(sum, value);
    }
    return sum;
  }

  private static @Element int combine(@Element int left, @Element int right) {
    return Combine.apply(Placeholder.operator(), left, right);
  }
}
