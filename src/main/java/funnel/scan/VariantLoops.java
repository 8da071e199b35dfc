package funnel.scan;

import java.lang.foreign.MemorySegment;

/** The JVM form of a {@link VariantScan}, for any type: the kernels' trees, step by step. */
interface VariantLoops {

  /**
   * Scans elements.
   *
   * @param values little-endian elements
   * @param output where the results go, as many; it may be {@code values}
   * @param length their number
   * @return the last result, or the identity
   */
  Number scan(MemorySegment values, MemorySegment output, int length);
}
