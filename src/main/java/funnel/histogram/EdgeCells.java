package funnel.histogram;

import java.util.function.IntToDoubleFunction;

/**
 * Cells of the same width over the edges of ranges, on the JVM: a sample is compared only with the
 * edges in its cell, mostly none.
 *
 * @param from where cell 0 begins
 * @param scale the number of cells for a distance of 1; 0 if there is only one cell
 * @param before for each cell the number of edges in all cells before it, and at the end the number
 *     of all edges
 */
record EdgeCells(double from, double scale, int[] before) {

  /* Whatever the rounding, the cell of a number is never less than that of a smaller number. So
   * edges in cells before a sample's are below it, and those in cells after it are above it.
   */

  private static final int CELLS_PER_EDGE = 16;
  private static final int MOST_CELLS = 1 << 18;

  /** The cells of bins that are not ranges. */
  static final EdgeCells NONE = new EdgeCells(0, 0, new int[2]);

  static EdgeCells of(int count, IntToDoubleFunction edge) {
    int low = 0;
    int high = count - 1;
    while (low < high && Double.isInfinite(edge.applyAsDouble(low))) {
      low++;
    }
    while (low < high && Double.isInfinite(edge.applyAsDouble(high))) {
      high--;
    }
    double from = edge.applyAsDouble(low);
    int cells = (int) Math.min((long) CELLS_PER_EDGE * count, MOST_CELLS);
    double scale = cells / (edge.applyAsDouble(high) - from);
    if (!(scale > 0 && scale < Double.POSITIVE_INFINITY)) {
      cells = 1;
      scale = 0;
    }
    EdgeCells result = new EdgeCells(from, scale, new int[cells + 1]);
    for (int i = 0; i < count; i++) {
      result.before[result.cell(edge.applyAsDouble(i)) + 1]++;
    }
    for (int cell = 0; cell < cells; cell++) {
      result.before[cell + 1] += result.before[cell];
    }
    return result;
  }

  private int cell(double x) {
    return Math.max(0, Math.min((int) ((x - from) * scale), before.length - 2));
  }

  /** The bin of an integer; {@code closed} is 1 if the last edge is in the last bin, else 0. */
  int bin(long x, long[] edges, int closed) {
    int cell = cell(x);
    int low = before[cell];
    int high = before[cell + 1];
    while (low < high) {
      int middle = low + high >>> 1;
      if (edges[middle] <= x) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    low -= low == edges.length && edges[low - 1] == x ? closed : 0;
    return BinRule.between(low, edges.length - 1);
  }

  int bin(double x, double[] edges, int closed) {
    int cell = cell(x);
    int low = before[cell];
    int high = before[cell + 1];
    while (low < high) {
      int middle = low + high >>> 1;
      if (edges[middle] <= x) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    low -= low == edges.length && edges[low - 1] == x ? closed : 0;
    return x != x ? edges.length + 1 : BinRule.between(low, edges.length - 1);
  }
}
