package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** JVM form of {@link TabulateStep}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntTabulateLoops implements TabulateStep.Loops {

  private static final int BLOCK = 1 << 10;

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;

  IntTabulateLoops() {}

  @Override
  public void tabulate(
      int rule,
      MemorySegment values,
      int size,
      MemorySegment output,
      int length,
      long start,
      long step) {
    ParallelRows.run(
        length,
        ParallelRows.mayBeShared(values, output) ? length : 0,
        (from, to) -> {
          switch (rule) {
            case TabulateStep.REVERSE -> reverse(values, size, output, from, to);
            case TabulateStep.DIFFERENCE -> subtract(values, output, from, to);
            default -> compute(rule, values, size, output, from, to, start, step);
          }
        });
  }

  private static boolean isArray(MemorySegment memory) {
    return memory.address() % VALUES.byteSize() == 0
        && memory.heapBase().orElse(null) instanceof @Element int[];
  }

  private static @Element int[] array(MemorySegment memory) {
    return (@Element int[]) memory.heapBase().orElseThrow();
  }

  private static int index(MemorySegment memory) {
    return (int) (memory.address() / VALUES.byteSize());
  }

  private static void reverse(
      MemorySegment values, int size, MemorySegment output, int from, int to) {
    if (isArray(values) && isArray(output)) {
      int end = index(values) + size - from;
      reverse(array(values), end, array(output), index(output) + from, to - from);
      return;
    }
    for (int i = from; i < to; i++) {
      output.setAtIndex(VALUES, i, values.getAtIndex(VALUES, size - 1 - i));
    }
  }

  private static void reverse(@Element int[] x, int end, @Element int[] y, int to, int count) {
    for (int k = 0; k < count; k++) {
      y[to + k] = x[end - 1 - k];
    }
  }

  private static void subtract(MemorySegment values, MemorySegment output, int from, int to) {
    int begin = Math.max(from, 1);
    if (from == 0) {
      output.setAtIndex(VALUES, 0, values.getAtIndex(VALUES, 0));
    }
    if (isArray(values) && isArray(output)) {
      int x = index(values) + begin;
      subtract(array(values), x, array(output), index(output) + begin, to - begin);
      return;
    }
    for (int i = begin; i < to; i++) {
      @Element int left = values.getAtIndex(VALUES, i - 1);
      output.setAtIndex(VALUES, i, (@Element int) (values.getAtIndex(VALUES, i) - left));
    }
  }

  private static void subtract(@Element int[] x, int from, @Element int[] y, int to, int count) {
    for (int k = 0; k < count; k++) {
      y[to + k] = (@Element int) (x[from + k] - x[from + k - 1]);
    }
  }

  /** Computes into the output's array, or into one that is copied block by block. */
  private static void compute(
      int rule,
      MemorySegment values,
      int size,
      MemorySegment output,
      int from,
      int to,
      long start,
      long step) {
    boolean isDirect = isArray(output);
    boolean isPermuted = TabulateStep.isPermuted(rule);
    int most = isPermuted ? BijectionBlock.MOST : isDirect ? to - from : BLOCK;
    int count = Math.min(most, to - from);
    int[] places = new int[isPermuted ? count : 0];
    BijectionBlock block = new BijectionBlock(size, start, places.length);
    @Element int[] y = isDirect ? array(output) : new @Element int[count];
    for (int first = from; first < to; first += count) {
      count = Math.min(count, to - first);
      int at = isDirect ? index(output) + first : 0;
      if (isPermuted) {
        block.at(first, count, places);
      }
      switch (rule) {
        case TabulateStep.PERMUTE -> take(values, places, y, at, count);
        case TabulateStep.POSITION -> convert(places, y, at, count);
        case TabulateStep.PROGRESSION -> progression(y, at, first, count, start, step);
        default -> random(y, at, first, count, start, step);
      }
      if (!isDirect) {
        MemorySegment.copy(y, 0, output, VALUES, first * VALUES.byteSize(), count);
      }
    }
  }

  private static void take(
      MemorySegment values, int[] places, @Element int[] y, int at, int count) {
    for (int k = 0; k < count; k++) {
      y[at + k] = values.getAtIndex(VALUES, places[k]);
    }
  }

  private static void convert(int[] places, @Element int[] y, int at, int count) {
    for (int k = 0; k < count; k++) {
      y[at + k] = (@Element int) places[k];
    }
  }

  private static void random(
      @Element int[] y, int at, int first, int count, long start, long step) {
    int shift = at - first;
    for (int i = first; i < first + count; i++) {
      y[shift + i] = (@Element int) SplitMix.value(start + (i + 1L) * step, (@Value int) 0);
    }
  }

  private static void progression(
      @Element int[] y, int at, int first, int count, long start, long step) {
    @Value int from = Scalars.ofBits(start, (@Value int) 0);
    @Value int by = Scalars.ofBits(step, (@Value int) 0);
    int shift = at - first; // for vectorization, i itself must be the loop variable
    for (int i = first; i < first + count; i++) {
      y[shift + i] = (@Element int) Scalars.fma((@Value int) i, by, from);
    }
  }
}
