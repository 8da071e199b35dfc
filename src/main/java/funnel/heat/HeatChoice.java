package funnel.heat;

import funnel.operation.Device;
import funnel.operation.Measured;
import funnel.operator.ElementType;
import java.util.Comparator;
import java.util.List;

/** Selects the method on a device unless one is named: the fastest in measurements. */
final class HeatChoice {

  /**
   * A measurement of a square grid with one diffusivity and no source.
   *
   * @param device the device
   * @param backend the TornadoVM backend
   * @param type the type of the field
   * @param size the number of nodes
   * @param method the method
   * @param nanos the time of a step, as the mean of at least a hundred, by the host's clock
   */
  private record Row(
      String device, String backend, ElementType type, long size, HeatMethod method, double nanos)
      implements Measured {}

  private static final String H200 = "NVIDIA H200";
  private static final long LARGE = 14_400L * 14_400;
  private static final long SMALL = 1024L * 1024;

  private static final List<Row> MEASURED =
      List.of(
          new Row(H200, "ptx", ElementType.FLOAT, LARGE, HeatMethod.GLOBAL, 904_900),
          new Row(H200, "ptx", ElementType.FLOAT, LARGE, HeatMethod.HALO_THREADS, 1_229_000),
          new Row(H200, "ptx", ElementType.FLOAT, LARGE, HeatMethod.TILE, 979_500),
          new Row(H200, "ptx", ElementType.FLOAT, LARGE, HeatMethod.STRIP, 856_900),
          new Row(H200, "ptx", ElementType.FLOAT, LARGE, HeatMethod.REGISTER_MARCH, 476_000),
          new Row(H200, "ptx", ElementType.FLOAT, LARGE, HeatMethod.REGISTER_STREAM, 86_700),
          new Row(H200, "cuda", ElementType.FLOAT, LARGE, HeatMethod.GLOBAL, 879_500),
          new Row(H200, "cuda", ElementType.FLOAT, LARGE, HeatMethod.HALO_THREADS, 1_198_500),
          new Row(H200, "cuda", ElementType.FLOAT, LARGE, HeatMethod.TILE, 943_500),
          new Row(H200, "cuda", ElementType.FLOAT, LARGE, HeatMethod.STRIP, 1_288_300),
          new Row(H200, "cuda", ElementType.FLOAT, LARGE, HeatMethod.REGISTER_MARCH, 483_400),
          new Row(H200, "cuda", ElementType.FLOAT, LARGE, HeatMethod.REGISTER_STREAM, 87_500),
          new Row(H200, "ptx", ElementType.FLOAT, SMALL, HeatMethod.REGISTER_MARCH, 23_200),
          new Row(H200, "ptx", ElementType.FLOAT, SMALL, HeatMethod.REGISTER_STREAM, 4_500),
          new Row(H200, "cuda", ElementType.FLOAT, SMALL, HeatMethod.REGISTER_MARCH, 19_400),
          new Row(H200, "cuda", ElementType.FLOAT, SMALL, HeatMethod.REGISTER_STREAM, 5_600));

  private HeatChoice() {}

  /** The method for a grid, among those that support it. */
  static HeatMethod of(Device device, HeatGrid grid) {
    List<Row> rows = MEASURED.stream().filter(row -> row.method().takes(grid)).toList();
    return Measured.nearest(rows, device, grid.type(), grid.nodes()).stream()
        .min(Comparator.comparingDouble(Row::nanos))
        .map(Row::method)
        .orElseGet(() -> unmeasured(grid));
  }

  /**
   * Whether a march loads all rows of a chunk before it computes any. It needs more registers,
   * which is slower by 3 % on the ptx backend and faster by 7 % on the cuda backend. For method 6
   * the cuda backend has kernels with long loops, the ptx backend with short ones, faster by 7 %.
   */
  static boolean rowsAtOnce(Device device) {
    return device.backend().equals("cuda");
  }

  /** The method with the least memory traffic among those that support the grid. */
  static HeatMethod unmeasured(HeatGrid grid) {
    return HeatMethod.REGISTER_STREAM.takes(grid)
        ? HeatMethod.REGISTER_STREAM
        : HeatMethod.REGISTER_MARCH;
  }
}
