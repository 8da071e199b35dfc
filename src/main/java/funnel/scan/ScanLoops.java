package funnel.scan;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The JVM form of a scan, for any types: what a loop class offers to {@link TileScan}. */
interface ScanLoops {

  /**
   * Scans a range of elements in the tree of {@link ScanTree}.
   *
   * @param values the input: little-endian elements, on the heap or off it
   * @param output where the results go, as many as there are elements; it may be {@code values}
   * @param length elements of the input
   * @param operator the operator's function, called if it could not be copied into the loops
   * @param identity identity over the accumulator type
   * @param initial the initial value
   * @param inclusive whether an element's result contains the element
   * @return the initial value combined with all elements
   */
  Number scan(
      MemorySegment values,
      MemorySegment output,
      int length,
      @Nullable Object operator,
      Number identity,
      Number initial,
      boolean inclusive);
}
