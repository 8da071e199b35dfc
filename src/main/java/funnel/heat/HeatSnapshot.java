package funnel.heat;

import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A field at one time: the content of pictures and checkpoints.
 *
 * {@snippet class="funnel.docs.HeatSnippets" region="snapshot"}
 *
 * <p>Snapshots are equal if all their numbers are, those of the field compared by their bits: 0.0
 * and -0.0 differ, and a NaN equals itself.
 *
 * @param type float or double
 * @param nx nodes along x
 * @param ny nodes along y
 * @param step steps made since the beginning
 * @param time time since the beginning
 * @param values the field, node (i, j) at index {@code j * nx + i}, little-endian
 */
public record HeatSnapshot(
    ElementType type, int nx, int ny, long step, double time, MemorySegment values) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if the type is not floating, a size is below 1, the step is
   *     negative, or there are more or fewer values than nodes
   */
  public HeatSnapshot {
    Objects.requireNonNull(values, "values");
    if (!type.isFloating()) {
      throw new IllegalArgumentException("a field is of float or double: type=" + type);
    }
    if (nx < 1 || ny < 1 || step < 0) {
      throw new IllegalArgumentException(
          "no such field: nx=%s, ny=%s, step=%s".formatted(nx, ny, step));
    }
    if (values.byteSize() != (long) nx * ny * type.bytes()) {
      throw new IllegalArgumentException(
          "the field has another size: nx=%s, ny=%s of %s need bytes=%s, given bytes=%s"
              .formatted(nx, ny, type, (long) nx * ny * type.bytes(), values.byteSize()));
    }
  }

  /** The value of node (i, j). */
  public double at(int i, int j) {
    return at(Objects.checkIndex(i, nx) + (long) Objects.checkIndex(j, ny) * nx);
  }

  double at(long index) {
    return HeatNumbers.get(type, values, index);
  }

  /** The least of the finite values; NaN if there is none. */
  public double min() {
    return extreme(DoubleStream::min);
  }

  /** The largest of the finite values; NaN if there is none. */
  public double max() {
    return extreme(DoubleStream::max);
  }

  private double extreme(Function<DoubleStream, OptionalDouble> of) {
    double[] rows = new double[ny];
    ParallelRows.deal(
        ny,
        j -> rows[j] = extreme(of, IntStream.range(0, nx).mapToDouble(i -> at(i + (long) j * nx))));
    return extreme(of, DoubleStream.of(rows));
  }

  private static double extreme(Function<DoubleStream, OptionalDouble> of, DoubleStream values) {
    return of.apply(values.filter(Double::isFinite)).orElse(Double.NaN);
  }

  /** Whether it is a snapshot with the same numbers and a field of the same bits. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HeatSnapshot that
        && type == that.type
        && nx == that.nx
        && ny == that.ny
        && step == that.step
        && Double.compare(time, that.time) == 0
        && values.mismatch(that.values) < 0;
  }

  /** The hash of everything but the field's values, so that it takes negligible time. */
  @Override
  public int hashCode() {
    return Objects.hash(type, nx, ny, step, time);
  }
}
