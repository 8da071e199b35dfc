package funnel.sort;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** JVM form of merges, for any type of elements. */
interface MergeLoops {

  /**
   * Sorts elements stably.
   *
   * @param positions the destination of their original positions, or null
   */
  void sort(
      MemorySegment keys,
      int length,
      @Nullable MemorySegment sorted,
      @Nullable MemorySegment positions);

  /** Consecutive elements of a segment. */
  record Part(MemorySegment keys, int from, int length) {}

  /**
   * Merges sorted elements; of equal ones those of the first part come first.
   *
   * @param positions the destination of their original positions, those of the second part counted
   *     after the first part's, or null
   */
  void merge(
      Part first, Part second, @Nullable MemorySegment merged, @Nullable MemorySegment positions);

  /**
   * Keeps elements of sorted parts, in the order of their merge.
   *
   * @param kept which elements are kept: a sum of constants of {@link IntSetMembersKernels}
   * @param positions the destination of their original positions, as in a merge, or null
   * @return how many elements are kept
   */
  int members(
      Part first,
      Part second,
      int kept,
      @Nullable MemorySegment members,
      @Nullable MemorySegment positions);

  /** Puts the elements of two columns, one after the other, into the order of positions. */
  void column(Part first, Part second, MemorySegment positions, int length, MemorySegment column);
}
