package funnel.lessons;

import java.lang.foreign.MemorySegment;

/** The JVM form of a {@link VariantScan}, for any type: follows the kernels' trees. */
interface VariantLoops {

  /**
   * Scans elements.
   *
   * @param scan the scan
   * @param values little-endian elements
   * @param output where the results go, as many as elements; it may be {@code values}
   * @param length their number
   * @return the last result, or the identity
   */
  Number scan(VariantScan scan, MemorySegment values, MemorySegment output, int length);
}
