package funnel.sort;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** JVM form of merges, whatever the type of the elements. */
interface MergeLoops {

  /**
   * Sorts elements stably.
   *
   * @param keys the elements
   * @param length how many there are
   * @param sorted where they go; null if they are not wanted
   * @param positions where the positions go that they were at, or null
   * @param comparator what is called if it is not in the loops
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
   * Merges sorted elements, of equal ones the first part's first.
   *
   * @param merged where they go; null if they are not wanted
   * @param positions where the positions go that they were at, of the second part counted on from
   *     the first's, or null
   * @param comparator what is called if it is not in the loops
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
   * @param kept what is kept: constants of {@link IntSetMemberKernels}, added
   * @param members where they go; null if they are not wanted
   * @param positions where the positions go that they were at, as those of a merge, or null
   * @param comparator what is called if it is not in the loops
   * @return how many they are
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
