package funnel.sort;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** JVM form of merges, for any type of elements. */
interface MergeLoops {

  /**
   * Sorts elements stably.
   *
   * @param keys the elements
   * @param length the number of elements
   * @param sorted where they go, or null if they are not wanted
   * @param positions where the positions go that they came from, or null
   * @param comparator the comparator, called if it is not compiled into the loops
   */
  void sort(
      MemorySegment keys,
      int length,
      @Nullable MemorySegment sorted,
      @Nullable MemorySegment positions,
      @Nullable Object comparator);

  /** Some elements of a segment. */
  record Part(MemorySegment keys, int from, int length) {}

  /**
   * Merges sorted elements; of equal ones those of the first part come first.
   *
   * @param merged where they go; null if they are not wanted
   * @param positions where the positions go that they came from, those of the second part counted
   *     after the first part's, or null
   * @param comparator the comparator, called if it is not compiled into the loops
   */
  void merge(
      Part first,
      Part second,
      @Nullable MemorySegment merged,
      @Nullable MemorySegment positions,
      @Nullable Object comparator);

  /**
   * Keeps elements of sorted parts, in the order of their merge.
   *
   * @param kept which elements are kept: a sum of constants of {@link IntSetMemberKernels}
   * @param members where they go; null if they are not wanted
   * @param positions where the positions go that they came from, as in a merge, or null
   * @param comparator the comparator, called if it is not compiled into the loops
   * @return how many elements are kept
   */
  int members(
      Part first,
      Part second,
      int kept,
      @Nullable MemorySegment members,
      @Nullable MemorySegment positions,
      @Nullable Object comparator);

  /**
   * Puts the elements of two columns, one after the other, into the order of positions.
   *
   * @param length how many positions there are
   * @param column where they go
   */
  void column(Part first, Part second, MemorySegment positions, int length, MemorySegment column);
}
