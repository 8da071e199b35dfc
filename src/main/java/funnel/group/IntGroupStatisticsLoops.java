package funnel.group;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Loops of {@link GroupStatistics} over values of a type. */
@Twins({"Long"})
final class IntGroupStatisticsLoops implements GroupStatistics.Loops {

  /* What is less than the least is rare, so that a branch takes less than a store for each value.
   * Sums of ints are those of longs, modulo 2^32.
   */

  private static final ElementType ELEMENT = ElementType.INT;
  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  IntGroupStatisticsLoops() {}

  private record Statistics(
      int[] counts, long[] sums, @Element int[] least, @Element int[] largest) {}

  @Override
  public Object make(int places) {
    @Element int[] least = new @Element int[places];
    @Element int[] largest = new @Element int[places];
    Arrays.fill(least, (@Element Integer) Operator.MIN.identity(ELEMENT));
    Arrays.fill(largest, (@Element Integer) Operator.MAX.identity(ELEMENT));
    return new Statistics(new int[places], new long[places], least, largest);
  }

  @Override
  public void add(Object all, int[] places, int count, MemorySegment values, int first) {
    Statistics of = (Statistics) all;
    if (values.heapBase().orElse(null) instanceof @Element int[] x
        && values.address() % VALUES.byteSize() == 0) {
      add(of, places, count, x, (int) (values.address() / VALUES.byteSize()) + first);
    } else {
      @Element int[] x = new @Element int[count];
      MemorySegment.copy(values, VALUES, first * VALUES.byteSize(), x, 0, count);
      add(of, places, count, x, 0);
    }
  }

  private static void add(Statistics of, int[] places, int count, @Element int[] x, int from) {
    int[] counts = of.counts;
    long[] sums = of.sums;
    @Element int[] least = of.least;
    @Element int[] largest = of.largest;
    for (int i = 0; i < count; i++) {
      int place = places[i];
      @Element int value = x[from + i];
      counts[place]++;
      sums[place] += value;
      if (value < least[place]) {
        least[place] = value;
      }
      if (value > largest[place]) {
        largest[place] = value;
      }
    }
  }

  @Override
  public void join(Object all, Object others) {
    Statistics of = (Statistics) all;
    Statistics other = (Statistics) others;
    for (int place = 0; place < of.counts.length; place++) {
      of.counts[place] += other.counts[place];
      of.sums[place] += other.sums[place];
      of.least[place] = Math.min(of.least[place], other.least[place]);
      of.largest[place] = Math.max(of.largest[place], other.largest[place]);
    }
  }

  @Override
  public int[] counts(Object all) {
    return ((Statistics) all).counts;
  }

  @Override
  public void putSums(Object all, ElementType type, int[] places, MemorySegment output) {
    long[] sums = ((Statistics) all).sums;
    for (int g = 0; g < places.length; g++) {
      if (type == ElementType.LONG) {
        output.setAtIndex(LONG, g, sums[places[g]]);
      } else {
        output.setAtIndex(INT, g, (int) sums[places[g]]);
      }
    }
  }

  @Override
  public void putEnds(Object all, boolean isLeast, int[] places, MemorySegment output) {
    @Element int[] ends = isLeast ? ((Statistics) all).least : ((Statistics) all).largest;
    for (int g = 0; g < places.length; g++) {
      output.setAtIndex(VALUES, g, ends[places[g]]);
    }
  }
}
