package funnel.histogram;

import java.util.Arrays;

/** Checks the edges of a histogram's bins, and computes those of even bins. */
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
            "edges of ranges ascend: edges[%s]=%s, edges[%s]=%s"
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
            "edges of ranges are numbers: edges[%s]=NaN".formatted(i));
      }
      if (i > 0 && edges[i] < edges[i - 1]) {
        throw new IllegalArgumentException(
            "edges of ranges ascend: edges[%s]=%s, edges[%s]=%s"
                .formatted(i - 1, edges[i - 1], i, edges[i]));
      }
    }
  }

  private static void requireNumber(int edges) {
    if (edges < 2 || edges > Histogram.MOST_BINS + 1) {
      throw new IllegalArgumentException(
          "ranges have 2 to %s edges: edges=%s".formatted(Histogram.MOST_BINS + 1, edges));
    }
  }

  /**
   * Whether bins of equal width are wide enough for {@link BinRule#EVEN}, and neither half of the
   * width's bits overflows or loses bits as a double.
   */
  static boolean areWide(int bins, double low, double high) {
    double width = (high - low) / bins;
    double ulp = Math.ulp(Math.max(Math.abs(low), Math.abs(high)));
    return width >= 4 * ulp && width > 0x1p-900 && width < 0x1p900;
  }

  /**
   * Checks that bins of equal width each have a width.
   *
   * @throws IllegalArgumentException if two edges are the same double
   */
  static void requireWidth(int bins, double low, double high) {
    double[] edges = areWide(bins, low, high) ? new double[0] : even(bins, low, high);
    for (int i = 1; i < edges.length; i++) {
      if (edges[i] <= edges[i - 1]) {
        throw new IllegalArgumentException(
            "even bins are too narrow for doubles: low=%s, high=%s, bins=%s, edges[%s]=%s, edges[%s]=%s; give fewer bins or a wider range"
                .formatted(low, high, bins, i - 1, edges[i - 1], i, edges[i]));
      }
    }
  }

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
