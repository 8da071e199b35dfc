package funnel.heat;

import funnel.io.ElementFile;
import funnel.io.FileFormatException;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * The caller's number for each node of a grid.
 *
 * @param name for messages
 * @param nodes gives the number of a node
 * @param isOrdered whether nodes must be read one after the other, as for a user-defined function
 */
record HeatValues(String name, Nodes nodes, boolean isOrdered) {

  HeatValues(String name, Nodes nodes) {
    this(name, nodes, false);
  }

  /** A number for each node. */
  @FunctionalInterface
  interface Nodes {
    /** The number of node (i, j). */
    double at(int i, int j);
  }

  static void requireCount(String name, int count, int nx, int ny) {
    if (count != nx * ny) {
      throw new IllegalArgumentException(
          "%s has another size: length=%s, nodes=%s (nx=%s, ny=%s)"
              .formatted(name, count, nx * ny, nx, ny));
    }
  }

  static HeatValues of(String name, float[] values, int nx, int ny) {
    requireCount(name, values.length, nx, ny);
    return new HeatValues(name, (i, j) -> values[j * nx + i]);
  }

  static HeatValues of(String name, double[] values, int nx, int ny) {
    requireCount(name, values.length, nx, ny);
    return new HeatValues(name, (i, j) -> values[j * nx + i]);
  }

  /** Of arrays of rows. */
  private static void requireRows(String name, Object[] rows, int nx, int ny) {
    for (int j = 0; j < Math.max(rows.length, ny); j++) {
      int length = j < rows.length ? Array.getLength(rows[j]) : 0;
      if (rows.length != ny || length != nx) {
        throw new IllegalArgumentException(
            "%s has another size: rows=%s, length of row %s=%s (nx=%s, ny=%s)"
                .formatted(name, rows.length, j, length, nx, ny));
      }
    }
  }

  static HeatValues of(String name, float[][] rows, int nx, int ny) {
    requireRows(name, rows, nx, ny);
    return new HeatValues(name, (i, j) -> rows[j][i]);
  }

  static HeatValues of(String name, double[][] rows, int nx, int ny) {
    requireRows(name, rows, nx, ny);
    return new HeatValues(name, (i, j) -> rows[j][i]);
  }

  static HeatValues of(String name, DoubleBinaryOperator function, double dx, double dy) {
    return new HeatValues(name, (i, j) -> function.applyAsDouble(i * dx, j * dy), true);
  }

  /** Reads a {@code .npy} file. */
  static HeatValues read(String name, Path path, int nx, int ny) throws IOException {
    try (ElementFile file = ElementFile.open(path)) {
      ElementType type = file.type();
      if (!type.isFloating() || !file.shape().equals(List.of((long) ny, (long) nx))) {
        throw new IllegalArgumentException(
            "%s in %s does not fit: %s of shape %s, expected FLOAT or DOUBLE of shape [ny=%s, nx=%s]"
                .formatted(name, path, type, FileFormatException.excerpt(file.shape()), ny, nx));
      }
      MemorySegment values = HeatNumbers.allocate(type, nx * ny);
      file.read(0, values);
      file.requireUnchanged();
      boolean isByColumns = file.header().orElseThrow().fortranOrder();
      int alongX = isByColumns ? ny : 1;
      int alongY = isByColumns ? 1 : nx;
      return new HeatValues(name, (i, j) -> HeatNumbers.get(type, values, i * alongX + j * alongY));
    }
  }

  /** The numbers, row after row. */
  double[] toArray(int nx, int ny) {
    double[] array = new double[nx * ny];
    for (int at = 0; at < array.length; at++) {
      array[at] = nodes.at(at % nx, at / nx);
    }
    return array;
  }

  /**
   * The numbers times a factor, in the type.
   *
   * @throws HeatFieldException if one is not finite, or too large for the type
   */
  MemorySegment times(double factor, ElementType type, int nx, int ny) {
    MemorySegment result = HeatNumbers.allocate(type, nx * ny);
    IntConsumer row = j -> setRow(result, factor, type, j, nx);
    if (isOrdered) {
      IntStream.range(0, ny).forEach(row);
    } else {
      ParallelRows.deal(ny, row);
    }
    return result;
  }

  private void setRow(MemorySegment result, double factor, ElementType type, int j, int nx) {
    for (int i = 0; i < nx; i++) {
      double value = nodes.at(i, j);
      double rounded = HeatNumbers.rounded(type, value * factor);
      if (!Double.isFinite(rounded)) {
        throw new HeatFieldException(name, i, j, value, "a finite number of type " + type);
      }
      HeatNumbers.set(type, result, j * nx + i, rounded);
    }
  }
}
