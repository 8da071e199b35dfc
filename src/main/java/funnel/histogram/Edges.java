package funnel.histogram;

import java.util.Arrays;

/** Edges of a histogram's bins: their checks, and those of even bins. */
final class Edges {

  private Edges() {}

  /**
   * Checks the edges of ranges.
   *
   * @throws IllegalArgumentException if they are too few or too many, or not in ascending order
   */
  static void require(long... edges) {
    requireNumber(edges.length);
    for (int i = 1; i < edges.length; i++) {
      if (edges[i] < edges[i - 1]) {
        throw new IllegalArgumentException(
            "edges of ranges ascend: edges[%d]=%d, edges[%d]=%d"
                .formatted(i - 1, edges[i - 1], i, edges[i]));
      }
    }
  }

  /**
   * Checks the edges of ranges.
   *
   * @throws IllegalArgumentException if they are too few or too many, not in ascending order, or
   *     one is NaN
   */
  static void require(double... edges) {
    requireNumber(edges.length);
    for (int i = 0; i < edges.length; i++) {
      if (Double.isNaN(edges[i])) {
        throw new IllegalArgumentException(
            "edges of ranges are numbers: edges[%d]=NaN".formatted(i));
      }
      if (i > 0 && edges[i] < edges[i - 1]) {
        throw new IllegalArgumentException(
            "edges of ranges ascend: edges[%d]=%s, edges[%d]=%s"
                .formatted(i - 1, edges[i - 1], i, edges[i]));
      }
    }
  }

  private static void requireNumber(int edges) {
    if (edges < 2 || edges > Histogram.MOST_BINS + 1) {
      throw new IllegalArgumentException(
          "ranges have 2 to %d edges: edges=%d".formatted(Histogram.MOST_BINS + 1, edges));
    }
  }

  /** The edges of bins of equal width. */
  static double[] even(int bins, double low, double high) {
    double[] edges = new double[bins + 1];
    double width = (high - low) / bins;
    Arrays.setAll(edges, i -> i == bins ? high : low + i * width);
    return edges;
  }

  /**
   * The centres between neighbours, computed without their sum, which may be too large for a
   * double.
   */
  static double[] centres(double... edges) {
    double[] centres = new double[edges.length - 1];
    Arrays.setAll(centres, i -> 0.5 * edges[i] + 0.5 * edges[i + 1]);
    return centres;
  }
}
