package funnel.reduce;

import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** JVM form of reductions to two values over one element type. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntPairReductionLoops implements PairReductionStep.Loops {

  private static final ElementType ELEMENT = ElementType.INT;
  private static final boolean IS_OF_BYTES = ELEMENT == ElementType.BYTE;

  /* First the extremes of each block of elements are found, with vector instructions if the type
   * has them; then their indices, in the first block with the smallest and the first with the
   * largest element. Bytes, which have no such vectors, are compared with branches that are rarely
   * taken.
   */

  private static final int BLOCK = 1 << 16;

  IntPairReductionLoops() {}

  @Override
  public Number[] reduce(MemorySegment values, int length, int code) {
    int blocks = Math.ceilDiv(length, BLOCK);
    @Value int[] smallest = new @Value int[blocks];
    @Value int[] largest = new @Value int[blocks];
    ParallelRows.run(
        blocks,
        ParallelRows.mayBeShared(values, values) ? length : 0,
        (from, to) -> {
          Object heap = values.heapBase().orElse(null);
          boolean isArray =
              heap instanceof @Element int[] && values.address() % ELEMENT.bytes() == 0;
          @Element
          int[] x =
              isArray
                  ? (@Element int[]) Objects.requireNonNull(heap)
                  : new @Element int[Math.min(BLOCK, length)];
          for (int block = from; block < to; block++) {
            int first = block * BLOCK;
            int count = Math.min(BLOCK, length - first);
            int at = (int) (values.address() / ELEMENT.bytes()) + first;
            if (!isArray) {
              ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
              MemorySegment.copy(values, layout, first * layout.byteSize(), x, 0, count);
              at = 0;
            }
            findExtremes(x, at, count, block, smallest, largest);
          }
        });
    int min = 0;
    int max = 0;
    for (int block = 1; block < blocks; block++) {
      min = Scalars.isSmaller(smallest[block], smallest[min]) ? block : min;
      max = Scalars.isLarger(largest[block], largest[max]) ? block : max;
    }
    min = code == PairCode.ARG_MAX ? 0 : first(values, min * BLOCK, smallest[min]);
    max = code == PairCode.ARG_MIN ? 0 : first(values, max * BLOCK, largest[max]);
    return switch (code) {
      case PairCode.ARG_MIN -> new Number[] {at(values, min), min};
      case PairCode.ARG_MAX -> new Number[] {at(values, max), max};
      default -> new Number[] {at(values, min), at(values, max)};
    };
  }

  private static void findExtremes(
      @Element int[] x, int at, int count, int block, @Value int[] smallest, @Value int[] largest) {
    @Value int min = JvmValues.of(x[at]);
    @Value int max = min;
    for (int i = at; i < at + count; i++) {
      @Value int value = JvmValues.of(x[i]);
      min = smaller(min, value);
      max = larger(max, value);
    }
    smallest[block] = min;
    largest[block] = max;
  }

  private static @Value int smaller(@Value int before, @Value int value) {
    return IS_OF_BYTES ? (value < before ? value : before) : Math.min(before, value);
  }

  private static @Value int larger(@Value int before, @Value int value) {
    return IS_OF_BYTES ? (value > before ? value : before) : Math.max(before, value);
  }

  /** The first element from {@code i} on that is equal. */
  private static int first(MemorySegment values, int i, @Value int wanted) {
    while (Scalars.isSmaller(wanted, at(values, i)) || Scalars.isLarger(wanted, at(values, i))) {
      i++;
    }
    return i;
  }

  private static @Value int at(MemorySegment values, int index) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    return JvmValues.of(values.getAtIndex(layout, index));
  }
}
