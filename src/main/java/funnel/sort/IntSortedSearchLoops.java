package funnel.sort;

import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

@Twins({"Byte", "Long", "Float", "Double"})
final class IntSortedSearchLoops implements SortedSearchStep.Loops {

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfInt PLACES = ValueLayout.JAVA_INT_UNALIGNED;

  IntSortedSearchLoops() {}

  @Override
  public void search(
      MemorySegment sorted,
      int size,
      MemorySegment wanted,
      int length,
      MemorySegment begins,
      MemorySegment ends,
      boolean isWithin,
      MemorySegment places,
      int sign,
      int limit,
      boolean isExact) {
    boolean isShared =
        ParallelRows.mayBeShared(sorted, wanted)
            && ParallelRows.mayBeShared(begins, ends)
            && ParallelRows.mayBeShared(places, places);
    ParallelRows.run(
        length,
        isShared ? length : 0,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            @Value int x = JvmValues.of(wanted.getAtIndex(VALUES, i));
            int begin = 0;
            int end = size;
            if (isWithin) {
              begin = Math.clamp(begins.getAtIndex(PLACES, i), 0, size);
              end = Math.clamp(ends.getAtIndex(PLACES, i), begin, size);
            }
            int at = begin;
            for (int step = Integer.highestOneBit(end - begin); step > 0; step >>= 1) {
              if (step <= end - at && compare(sorted, at + step - 1, x) * sign < limit) {
                at += step;
              }
            }
            boolean isFound = !isExact || (at < end && compare(sorted, at, x) == 0);
            places.setAtIndex(PLACES, i, isFound ? at - begin : -1 - (at - begin));
          }
        });
  }

  private static int compare(MemorySegment sorted, int at, @Value int x) {
    return JvmValues.compare(JvmValues.of(sorted.getAtIndex(VALUES, at)), x);
  }
}
