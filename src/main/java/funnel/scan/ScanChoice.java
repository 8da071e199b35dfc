package funnel.scan;

import funnel.operator.ElementType;
import java.util.Comparator;
import java.util.List;

/**
 * Which form a scan takes on a device unless {@link Scan#by} names one: the single pass where it
 * was measured to be faster.
 */
final class ScanChoice {

  /**
   * A measurement.
   *
   * @param device where
   * @param backend by which backend of TornadoVM
   * @param length elements, summed inclusively
   * @param gain time of {@link ScanForm#REDUCE_THEN_SCAN} over that of the single pass, kernels of
   *     one build in one run
   */
  private record Row(String device, String backend, int length, double gain) {}

  /** Of ints; longs, of which half as many are as many bytes, are taken to be alike. */
  private static final List<Row> MEASURED =
      List.of(
          new Row("NVIDIA H200", "cuda", 1 << 24, 1.47),
          new Row("NVIDIA H200", "ptx", 1 << 24, 1.34),
          new Row("NVIDIA H200", "cuda", 1 << 28, 1.26),
          new Row("NVIDIA H200", "ptx", 1 << 28, 1.09));

  private ScanChoice() {}

  /**
   * The form of a segmented scan. Of 2^28 ints on an H200, four launches took 1.24 times as long as
   * the single pass by head bits and 1.11 times by heads; by keys the single pass was slower when
   * it was measured.
   */
  static ScanForm ofSegments(SegmentedTileScan.By by) {
    return by == SegmentedTileScan.By.KEYS ? ScanForm.REDUCE_THEN_SCAN : ScanForm.SINGLE_PASS;
  }

  /**
   * The form for a capacity: by the measurements nearest to it. Floating-point scans have not been
   * measured in the single pass yet and take the other form.
   */
  static ScanForm of(ElementType accumulator, int capacity) {
    if (accumulator.isFloating()) {
      return ScanForm.REDUCE_THEN_SCAN;
    }
    double log = Math.log(Math.max(1, capacity));
    int nearest =
        MEASURED.stream()
            .map(Row::length)
            .min(Comparator.comparingDouble(length -> Math.abs(Math.log(length) - log)))
            .orElseThrow();
    boolean faster =
        MEASURED.stream().filter(row -> row.length() == nearest).allMatch(row -> row.gain() > 1);
    return faster ? ScanForm.SINGLE_PASS : ScanForm.REDUCE_THEN_SCAN;
  }
}
