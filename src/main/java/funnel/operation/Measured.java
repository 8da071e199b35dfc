package funnel.operation;

import funnel.operator.ElementType;
import java.util.List;
import java.util.function.Predicate;

/**
 * A measurement that decides which of several forms is used on a device.
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

  /** The number of elements. */
  long size();

  /**
   * The measurements that are nearest to a case. They are narrowed, as long as any remain, to those
   * on the same device, by the same backend, of a type that is floating-point or not like the given
   * one, and of the same type; of the remaining ones those of the nearest size, by its logarithm,
   * are returned.
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
