package funnel.scan;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The JVM form of a segmented scan: what a loop class offers to {@link SegmentedTileScan}. */
interface SegmentedScanLoops {

  /**
   * Scans the segments of a range of elements; floating-point numbers in the tree of {@link
   * SegmentedTree}.
   *
   * @param values the input: little-endian elements, on the heap or off it
   * @param heads a bit for each element that begins a segment, element 0 among them
   * @param output where the results go, as many as there are elements; it may be {@code values}
   * @param length elements of the input
   * @param operator the operator's function, called if it could not be copied into the loops
   * @param identity its identity
   * @param initial the initial value of each segment
   * @param inclusive whether an element's result contains the element
   * @return the initial value combined with all elements of the last segment
   */
  Number scan(
      MemorySegment values,
      long[] heads,
      MemorySegment output,
      int length,
      @Nullable Object operator,
      Number identity,
      Number initial,
      boolean inclusive);
}
