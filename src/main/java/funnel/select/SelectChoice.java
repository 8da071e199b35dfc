package funnel.select;

import funnel.operation.Device;
import funnel.operation.Measured;
import funnel.operator.ElementType;
import funnel.scan.ScanForm;
import java.util.List;

/**
 * Selects the form of a selection on a device unless the caller names one: the single pass where
 * measurements show it to be faster.
 */
final class SelectChoice {

  /**
   * A measurement.
   *
   * @param comparesNeighbours whether unique elements and runs were measured, or selections by
   *     predicates and flags and partitions
   * @param device the device
   * @param backend the TornadoVM backend
   * @param type the type of the elements
   * @param size the number of elements
   * @param gain the time of {@link ScanForm#REDUCE_THEN_SCAN} over that of the single pass, with
   *     kernels of one build in one run: the minimum over these selections
   */
  private record Row(
      boolean comparesNeighbours,
      String device,
      String backend,
      ElementType type,
      long size,
      double gain)
      implements Measured {}

  private static final String H200 = "NVIDIA H200";

  private static final List<Row> MEASURED =
      List.of(
          new Row(false, H200, "cuda", ElementType.INT, 1 << 20, 1.95),
          new Row(false, H200, "cuda", ElementType.INT, 1 << 24, 1.22),
          new Row(false, H200, "cuda", ElementType.INT, 1 << 28, 1.02),
          new Row(false, H200, "ptx", ElementType.INT, 1 << 20, 1.86),
          new Row(false, H200, "ptx", ElementType.INT, 1 << 24, 1.04),
          new Row(false, H200, "ptx", ElementType.INT, 1 << 28, 0.90),
          new Row(true, H200, "cuda", ElementType.INT, 1 << 20, 1.68),
          new Row(true, H200, "cuda", ElementType.INT, 1 << 24, 1.17),
          new Row(true, H200, "cuda", ElementType.INT, 1 << 28, 0.94),
          new Row(true, H200, "ptx", ElementType.INT, 1 << 20, 1.61),
          new Row(true, H200, "ptx", ElementType.INT, 1 << 24, 1.13),
          new Row(true, H200, "ptx", ElementType.INT, 1 << 28, 0.97));

  private SelectChoice() {}

  /** The form of a selection. */
  static ScanForm of(Device device, boolean comparesNeighbours, ElementType type, int capacity) {
    List<Row> rows =
        MEASURED.stream().filter(row -> row.comparesNeighbours() == comparesNeighbours).toList();
    boolean faster =
        Measured.nearest(rows, device, type, capacity).stream().allMatch(row -> row.gain() > 1);
    return faster ? ScanForm.SINGLE_PASS : ScanForm.REDUCE_THEN_SCAN;
  }
}
