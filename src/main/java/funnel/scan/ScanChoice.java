package funnel.scan;

import funnel.operation.Device;
import funnel.operation.Measured;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.util.List;

/**
 * Selects the form of a scan on a device unless {@link Scan#by} names one: the single pass where
 * measurements show it to be faster.
 */
final class ScanChoice {

  /** What is scanned. */
  private enum Of {
    /** All elements, by a shipped operator: a sum was measured. */
    SHIPPED,
    /** All elements, by a user-defined operator: one of a dozen instructions was measured. */
    USERS,
    /**
     * Segments: a sum was measured, by bits, which are also made from any other kind of segments.
     */
    SEGMENTS
  }

  /**
   * A measurement.
   *
   * @param of what was scanned
   * @param device the device
   * @param backend the TornadoVM backend
   * @param type the type of the results
   * @param size the number of elements, scanned inclusively
   * @param gain the time of {@link ScanForm#REDUCE_THEN_SCAN} over that of the single pass, with
   *     kernels of one build in one run
   */
  private record Row(Of of, String device, String backend, ElementType type, long size, double gain)
      implements Measured {}

  private static final String H200 = "NVIDIA H200";

  private static final List<Row> MEASURED =
      List.of(
          new Row(Of.SHIPPED, H200, "cuda", ElementType.INT, 1 << 14, 2.91),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.INT, 1 << 18, 2.74),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.INT, 1 << 22, 1.91),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.INT, 1 << 24, 1.43),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.INT, 1 << 26, 1.35),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.INT, 1 << 28, 1.32),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.INT, 1 << 14, 2.15),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.INT, 1 << 18, 2.53),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.INT, 1 << 22, 1.82),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.INT, 1 << 24, 1.40),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.INT, 1 << 26, 1.26),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.INT, 1 << 28, 1.22),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.LONG, 1 << 14, 2.75),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.LONG, 1 << 18, 2.12),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.LONG, 1 << 22, 1.49),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.LONG, 1 << 24, 1.32),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.LONG, 1 << 26, 1.20),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.LONG, 1 << 28, 1.17),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.LONG, 1 << 14, 2.52),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.LONG, 1 << 18, 2.34),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.LONG, 1 << 22, 1.40),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.LONG, 1 << 24, 1.30),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.LONG, 1 << 26, 1.19),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.LONG, 1 << 28, 1.16),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.FLOAT, 1 << 14, 2.43),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.FLOAT, 1 << 18, 1.94),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.FLOAT, 1 << 22, 1.76),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.FLOAT, 1 << 24, 1.30),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.FLOAT, 1 << 26, 1.23),
          new Row(Of.SHIPPED, H200, "cuda", ElementType.FLOAT, 1 << 28, 1.21),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.FLOAT, 1 << 14, 2.40),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.FLOAT, 1 << 18, 2.55),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.FLOAT, 1 << 22, 1.81),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.FLOAT, 1 << 24, 1.28),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.FLOAT, 1 << 26, 1.20),
          new Row(Of.SHIPPED, H200, "ptx", ElementType.FLOAT, 1 << 28, 1.19),
          new Row(Of.USERS, H200, "cuda", ElementType.LONG, 1 << 14, 2.41),
          new Row(Of.USERS, H200, "cuda", ElementType.LONG, 1 << 18, 1.91),
          new Row(Of.USERS, H200, "cuda", ElementType.LONG, 1 << 22, 1.40),
          new Row(Of.USERS, H200, "cuda", ElementType.LONG, 1 << 24, 1.14),
          new Row(Of.USERS, H200, "cuda", ElementType.LONG, 1 << 26, 1.00),
          new Row(Of.USERS, H200, "cuda", ElementType.LONG, 1 << 28, 0.98),
          new Row(Of.USERS, H200, "ptx", ElementType.LONG, 1 << 14, 2.38),
          new Row(Of.USERS, H200, "ptx", ElementType.LONG, 1 << 18, 2.25),
          new Row(Of.USERS, H200, "ptx", ElementType.LONG, 1 << 22, 1.44),
          new Row(Of.USERS, H200, "ptx", ElementType.LONG, 1 << 24, 1.13),
          new Row(Of.USERS, H200, "ptx", ElementType.LONG, 1 << 26, 1.00),
          new Row(Of.USERS, H200, "ptx", ElementType.LONG, 1 << 28, 0.95),
          new Row(Of.SEGMENTS, H200, "cuda", ElementType.INT, 1 << 24, 1.03),
          new Row(Of.SEGMENTS, H200, "cuda", ElementType.INT, 1 << 28, 1.22),
          new Row(Of.SEGMENTS, H200, "ptx", ElementType.INT, 1 << 24, 1.22),
          new Row(Of.SEGMENTS, H200, "ptx", ElementType.INT, 1 << 28, 1.25));

  private ScanChoice() {}

  /** The form of a scan. */
  static ScanForm of(Device device, Operator operator, ElementType type, int capacity) {
    return of(device, operator.isUser() ? Of.USERS : Of.SHIPPED, type, capacity);
  }

  /** The form of a scan in segments. */
  static ScanForm ofSegments(Device device, ElementType type, int capacity) {
    return of(device, Of.SEGMENTS, type, capacity);
  }

  private static ScanForm of(Device device, Of of, ElementType type, int capacity) {
    List<Row> rows = MEASURED.stream().filter(row -> row.of() == of).toList();
    boolean faster =
        Measured.nearest(rows, device, type, capacity).stream().allMatch(row -> row.gain() > 1);
    return faster ? ScanForm.SINGLE_PASS : ScanForm.REDUCE_THEN_SCAN;
  }
}
