package funnel.operation;

import funnel.operator.ElementType;
import java.util.List;
import java.util.function.Predicate;

/**
 * A measurement by which one of several forms is chosen for a device.
 *
 * <p>A choice of block sizes by a table of measurements:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="measured"}
 */
public interface Measured {

  /** The device's name. */
  String device();

  /** TornadoVM's backend, in lower case. */
  String backend();

  /** The type of the results. */
  ElementType type();

  /** Elements. */
  long size();

  /**
   * The measurements that are nearest to a case: those on the device, by the backend, of a type
   * that is floating-point or not alike, of the very type, as far as there are any of each; and of
   * these those of the nearest size, by its logarithm.
   *
   * @param <M> a measurement
   * @return empty only if {@code measurements} are
   */
  static <M extends Measured> List<M> nearest(
      List<M> measurements, Device device, ElementType type, long size) {
    List<M> rows = measurements;
    rows = narrowed(rows, row -> row.device().equals(device.name()));
    rows = narrowed(rows, row -> row.backend().equals(device.backend()));
    rows = narrowed(rows, row -> row.type().isFloating() == type.isFloating());
    rows = narrowed(rows, row -> row.type() == type);
    double nearest = rows.stream().mapToDouble(row -> distance(row, size)).min().orElse(0);
    return rows.stream().filter(row -> distance(row, size) == nearest).toList();
  }

  private static double distance(Measured row, long size) {
    return Math.abs(Math.log(Math.max(1, row.size())) - Math.log(Math.max(1, size)));
  }

  private static <M> List<M> narrowed(List<M> rows, Predicate<M> condition) {
    List<M> some = rows.stream().filter(condition).toList();
    return some.isEmpty() ? rows : some;
  }
}
