package funnel.histogram;

import funnel.jit.Accumulator;
import funnel.jit.Calls;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.operator.OperatorCode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** JVM form of what writes a {@link ScatterReduce}'s output, over the values' and its own type. */
@Twins({
  "IntToLong",
  "IntToDouble",
  "LongToLong",
  "LongToDouble",
  "FloatToFloat",
  "FloatToDouble",
  "DoubleToDouble"
})
final class IntToIntScatterLoops implements ScatterLoops {

  /** For the copies. */
  public IntToIntScatterLoops() {}

  private static int index(MemorySegment indices, int i) {
    return indices.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
  }

  private static @Accumulator int value(MemorySegment values, int i) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    return (@Accumulator int) values.get(layout, i * layout.byteSize());
  }

  private static @Accumulator int get(MemorySegment output, int i) {
    ValueLayout.@Accumulator OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    return output.get(layout, i * layout.byteSize());
  }

  private static void set(MemorySegment output, int i, @Accumulator int value) {
    ValueLayout.@Accumulator OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    output.set(layout, i * layout.byteSize(), value);
  }

  @Override
  public void ends(
      MemorySegment keys,
      MemorySegment come,
      int length,
      MemorySegment output,
      int size,
      @Nullable Object operator) {
    for (int i = 0; i < length; i++) {
      int key = index(keys, i);
      boolean isEnd = i == length - 1 || index(keys, i + 1) != key;
      if (isEnd && key >= 0 && key < size) {
        set(output, key, combine(get(output, key), get(come, i), operator));
      }
    }
  }

  @Override
  public void all(
      MemorySegment indices,
      MemorySegment values,
      int length,
      MemorySegment output,
      int size,
      @Nullable Object operator) {
    if (indices.heapBase().orElse(null) instanceof int[] at
        && values.heapBase().orElse(null) instanceof @Element int[] x
        && output.heapBase().orElse(null) instanceof @Accumulator int[] y
        && indices.address() == 0
        && values.address() == 0
        && output.address() == 0) {
      inArrays(at, x, length, y, size, operator);
      return;
    }
    for (int i = 0; i < length; i++) {
      int index = index(indices, i);
      if (index >= 0 && index < size) {
        set(output, index, combine(get(output, index), value(values, i), operator));
      }
    }
  }

  private static void inArrays(
      int[] indices,
      @Element int[] values,
      int length,
      @Accumulator int[] output,
      int size,
      @Nullable Object operator) {
    for (int i = 0; i < length; i++) {
      int index = indices[i];
      if (index >= 0 && index < size) {
        output[index] = combine(output[index], (@Accumulator int) values[i], operator);
      }
    }
  }

  private static @Accumulator int combine(
      @Accumulator int left, @Accumulator int right, @Nullable Object operator) {
    return switch (Placeholder.operator()) {
      case OperatorCode.MIN -> Math.min(left, right);
      case OperatorCode.MAX -> Math.max(left, right);
      case Calls.OPERATOR -> Calls.combine(operator, left, right);
      default -> Combine.apply(Placeholder.operator(), left, right);
    };
  }
}
