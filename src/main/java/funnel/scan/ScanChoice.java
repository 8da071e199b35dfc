package funnel.scan;

import funnel.engine.Device;
import funnel.operator.ElementType;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Which form a scan takes on a device unless {@link Scan#by} names one: the single pass where it
 * was measured to be faster.
 */
final class ScanChoice {

  /**
   * A measurement of sums; other operators take a few instructions more in both forms.
   *
   * @param device where
   * @param backend by which backend of TornadoVM
   * @param type of the results
   * @param length elements, summed inclusively
   * @param gain time of {@link ScanForm#REDUCE_THEN_SCAN} over that of the single pass, kernels of
   *     one build in one run
   */
  private record Row(String device, String backend, ElementType type, int length, double gain) {}

  private static final List<Row> MEASURED =
      List.of(
          new Row("NVIDIA H200", "cuda", ElementType.INT, 1 << 24, 1.47),
          new Row("NVIDIA H200", "ptx", ElementType.INT, 1 << 24, 1.34),
          new Row("NVIDIA H200", "cuda", ElementType.INT, 1 << 28, 1.26),
          new Row("NVIDIA H200", "ptx", ElementType.INT, 1 << 28, 1.09),
          new Row("NVIDIA H200", "cuda", ElementType.FLOAT, 1 << 28, 1.21),
          new Row("NVIDIA H200", "ptx", ElementType.FLOAT, 1 << 28, 1.19));

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
   * The form for results of a type and a capacity. It follows the measurements on the device, by
   * the backend, of a type that is floating-point or not alike, of the very type, as far as there
   * are any of each; and of these those of the nearest length.
   */
  static ScanForm of(Device device, ElementType type, int capacity) {
    List<Row> rows = MEASURED;
    rows = narrowed(rows, row -> row.device().equals(device.name()));
    rows = narrowed(rows, row -> row.backend().equals(device.backend()));
    rows = narrowed(rows, row -> row.type().isFloating() == type.isFloating());
    rows = narrowed(rows, row -> row.type() == type);
    double log = Math.log(Math.max(1, capacity));
    int nearest =
        rows.stream()
            .map(Row::length)
            .min(Comparator.comparingDouble(length -> Math.abs(Math.log(length) - log)))
            .orElseThrow();
    boolean faster =
        rows.stream().filter(row -> row.length() == nearest).allMatch(row -> row.gain() > 1);
    return faster ? ScanForm.SINGLE_PASS : ScanForm.REDUCE_THEN_SCAN;
  }

  private static List<Row> narrowed(List<Row> rows, Predicate<Row> condition) {
    List<Row> some = rows.stream().filter(condition).toList();
    return some.isEmpty() ? rows : some;
  }
}
