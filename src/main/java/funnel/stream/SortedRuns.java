package funnel.stream;

import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Merges sorted runs of elements; of equal elements those of the earlier run come first. */
interface SortedRuns {

  /**
   * Runs.
   *
   * @param runs the elements of each, or their keys, as {@link #sortedKeys} has put them
   * @param areKeys whether they are keys
   * @param isOrder whether all NaN are equal, as in an order
   * @param before the number of merged elements to skip; less than that of all
   */
  static SortedRuns of(
      List<MemorySegment> runs,
      ElementType type,
      boolean areKeys,
      boolean isDescending,
      boolean isOrder,
      long before) {
    return type.bytes() == Long.BYTES
        ? new LongSortedRuns(runs, type, areKeys, isDescending, isOrder, before)
        : new IntSortedRuns(runs, type, areKeys, isDescending, isOrder, before);
  }

  /** The keys of some elements of at least four bytes, sorted by the JDK in this thread. */
  static MemorySegment sortedKeys(MemorySegment elements, ElementType type, boolean isDescending) {
    return type.bytes() == Long.BYTES
        ? LongSortedRuns.sortedKeys(elements, type, isDescending)
        : IntSortedRuns.sortedKeys(elements, type, isDescending);
  }

  /** Puts the next elements into the places {@code from} to {@code to} of some memory. */
  void elements(MemorySegment into, long from, long to);

  /**
   * Puts longs that belong to the next elements into the places {@code from} to {@code to} of some
   * memory; only for an order.
   *
   * @param longs one for each element of the runs
   */
  void longs(MemorySegment longs, MemorySegment into, long from, long to);
}
