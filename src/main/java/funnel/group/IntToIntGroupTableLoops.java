package funnel.group;

import funnel.jit.Accumulator;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.operator.OperatorCode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

@Twins({"IntToLong", "LongToLong", "FloatToFloat", "DoubleToDouble"})
final class IntToIntGroupTableLoops implements GroupTable.Loops {

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.@Accumulator OfInt TABLE = ValueLayout.JAVA_INT_UNALIGNED;

  /** Called by the copies. */
  public IntToIntGroupTableLoops() {}

  @Override
  public Object make(int places, Number identity) {
    @Accumulator int[] table = new @Accumulator int[places];
    Arrays.fill(table, (@Accumulator Integer) identity);
    return table;
  }

  @Override
  public void combine(
      Object table, GroupPlaces.Rows places, int count, MemorySegment values, int first) {
    if (values.heapBase().orElse(null) instanceof @Element int[] x
        && values.address() % VALUES.byteSize() == 0) {
      int at = (int) (values.address() / VALUES.byteSize()) + first;
      combine((@Accumulator int[]) table, places, count, x, at);
    } else {
      @Element int[] x = new @Element int[count];
      MemorySegment.copy(values, VALUES, first * VALUES.byteSize(), x, 0, count);
      combine((@Accumulator int[]) table, places, count, x, 0);
    }
  }

  private static void combine(
      @Accumulator int[] table, GroupPlaces.Rows places, int count, @Element int[] x, int at) {
    int[] numbers = places.numbers();
    int first = places.at();
    int less = places.less();
    for (int i = 0; i < count; i++) {
      int place = numbers[first + i] - less;
      table[place] = combine(table[place], (@Accumulator int) x[at + i]);
    }
  }

  @Override
  public void put(Object[] tables, int[] places, MemorySegment output) {
    for (int g = 0; g < places.length; g++) {
      @Accumulator int value = ((@Accumulator int[]) tables[0])[places[g]];
      for (int t = 1; t < tables.length; t++) {
        value = combine(value, ((@Accumulator int[]) tables[t])[places[g]]);
      }
      output.setAtIndex(TABLE, g, value);
    }
  }

  private static @Accumulator int combine(@Accumulator int left, @Accumulator int right) {
    return switch (Placeholder.operator()) {
      case OperatorCode.MIN -> Math.min(left, right);
      case OperatorCode.MAX -> Math.max(left, right);
      default -> Combine.apply(Placeholder.operator(), left, right);
    };
  }
}
