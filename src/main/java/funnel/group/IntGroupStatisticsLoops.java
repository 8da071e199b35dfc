package funnel.group;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

@SuppressWarnings("cast") // a twin's values are longs
@Twins({"Long"})
final class IntGroupStatisticsLoops implements GroupStatistics.Loops {

  /* The statistics of a place are adjacent, in one or two cache lines. Values less than the least
   * are rare, so that a branch takes less time than a store for each value. Sums of ints are those
   * of longs, modulo 2^32.
   */

  private static final ElementType ELEMENT = ElementType.INT;
  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /* The statistics of a place: the number of values, their sum, the least and the largest. */
  private static final int COUNT = 0;
  private static final int SUM = 1;
  private static final int LEAST = 2;
  private static final int LARGEST = 3;
  private static final int LONGS = 4;

  IntGroupStatisticsLoops() {}

  @Override
  public Object make(int places) {
    long[] all = new long[Math.multiplyExact(LONGS, places)];
    long least = Operator.MIN.identity(ELEMENT).longValue();
    long largest = Operator.MAX.identity(ELEMENT).longValue();
    for (int at = 0; at < all.length; at += LONGS) {
      all[at + LEAST] = least;
      all[at + LARGEST] = largest;
    }
    return all;
  }

  @Override
  public void add(Object all, GroupPlaces.Rows places, int count, MemorySegment values, int first) {
    if (values.heapBase().orElse(null) instanceof @Element int[] x
        && values.address() % VALUES.byteSize() == 0) {
      add((long[]) all, places, count, x, (int) (values.address() / VALUES.byteSize()) + first);
    } else {
      @Element int[] x = new @Element int[count];
      MemorySegment.copy(values, VALUES, first * VALUES.byteSize(), x, 0, count);
      add((long[]) all, places, count, x, 0);
    }
  }

  private static void add(
      long[] all, GroupPlaces.Rows places, int count, @Element int[] x, int from) {
    int[] numbers = places.numbers();
    int first = places.at();
    int less = places.less();
    for (int i = 0; i < count; i++) {
      int at = LONGS * (numbers[first + i] - less);
      long value = x[from + i];
      all[at + COUNT]++;
      all[at + SUM] += value;
      if (value < all[at + LEAST]) {
        all[at + LEAST] = value;
      }
      if (value > all[at + LARGEST]) {
        all[at + LARGEST] = value;
      }
    }
  }

  @Override
  public void join(Object all, Object others) {
    long[] of = (long[]) all;
    long[] other = (long[]) others;
    for (int at = 0; at < of.length; at += LONGS) {
      of[at + COUNT] += other[at + COUNT];
      of[at + SUM] += other[at + SUM];
      of[at + LEAST] = Math.min(of[at + LEAST], other[at + LEAST]);
      of[at + LARGEST] = Math.max(of[at + LARGEST], other[at + LARGEST]);
    }
  }

  @Override
  public int[] counts(Object all) {
    long[] of = (long[]) all;
    int[] counts = new int[of.length / LONGS];
    Arrays.setAll(counts, place -> (int) of[LONGS * place + COUNT]);
    return counts;
  }

  @Override
  public void putSums(Object all, ElementType type, int[] places, MemorySegment output) {
    long[] of = (long[]) all;
    for (int g = 0; g < places.length; g++) {
      long sum = of[LONGS * places[g] + SUM];
      if (type == ElementType.LONG) {
        output.setAtIndex(LONG, g, sum);
      } else {
        output.setAtIndex(INT, g, (int) sum);
      }
    }
  }

  @Override
  public void putEnds(Object all, boolean isLeast, int[] places, MemorySegment output) {
    long[] of = (long[]) all;
    for (int g = 0; g < places.length; g++) {
      long end = of[LONGS * places[g] + (isLeast ? LEAST : LARGEST)];
      output.setAtIndex(VALUES, g, (@Element int) end);
    }
  }
}
