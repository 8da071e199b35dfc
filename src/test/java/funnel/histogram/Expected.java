package funnel.histogram;

import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a histogram has to be, sample by sample, in unbounded integers or as its definition says.
 */
final class Expected {

  /** Where a sample belongs: a bin, or one of these. */
  static final int BELOW = -1;

  static final int ABOVE = -2;
  static final int NAN = -3;

  /** The rule that gives a sample its bin. */
  interface Rule {
    int bin(Samples samples, int at);
  }

  final long[] counts;
  long below;
  long above;
  long nan;
  int firstOutside = -1;

  private Expected(int counters) {
    counts = new long[counters];
  }

  static Expected of(
      Rule rule, int bins, int channels, Samples samples, int from, int to, long[] before) {
    Expected expected = new Expected(bins * channels);
    System.arraycopy(before, 0, expected.counts, 0, before.length);
    for (int i = from; i < to; i++) {
      int bin = rule.bin(samples, i);
      if (bin >= 0) {
        expected.counts[(i - from) % channels * bins + bin]++;
      } else {
        expected.below += bin == BELOW ? 1 : 0;
        expected.above += bin == ABOVE ? 1 : 0;
        expected.nan += bin == NAN ? 1 : 0;
        expected.firstOutside = expected.firstOutside < 0 ? i - from : expected.firstOutside;
      }
    }
    return expected;
  }

  static Rule keys(int bins) {
    return (samples, at) -> {
      long key = samples.integer(at);
      return key >= 0 && key < bins ? (int) key : BELOW;
    };
  }

  /** floor((x - low) * bins / (high - low)) in unbounded integers. */
  static int even(long x, int bins, long low, long high) {
    if (x < low) {
      return BELOW;
    }
    if (x >= high) {
      return ABOVE;
    }
    BigInteger l = BigInteger.valueOf(low);
    return BigInteger.valueOf(x)
        .subtract(l)
        .multiply(BigInteger.valueOf(bins))
        .divide(BigInteger.valueOf(high).subtract(l))
        .intValueExact();
  }

  static Rule even(int bins, long low, long high) {
    return (samples, at) -> even(samples.integer(at), bins, low, high);
  }

  /** The bin whose edges contain the sample, as they are published. */
  static Rule even(int bins, double low, double high) {
    return ranges(Histogram.even(bins, low, high).edges());
  }

  /** The bin whose edges contain the sample, by a loop over all of them. */
  static Rule between(double[] edges) {
    return (samples, at) -> {
      double x = samples.real(at);
      if (Double.isNaN(x)) {
        return NAN;
      }
      if (x < edges[0]) {
        return BELOW;
      }
      for (int bin = 0; bin < edges.length - 1; bin++) {
        if (edges[bin] <= x && x < edges[bin + 1]) {
          return bin;
        }
      }
      return ABOVE;
    };
  }

  /** The same, but a sample at the upper end is in the last bin. */
  static Rule closed(Rule rule, int bins, double high) {
    return (samples, at) -> samples.real(at) == high ? bins - 1 : rule.bin(samples, at);
  }

  /** The same, but a sample at the upper end is in the last bin. */
  static Rule closed(Rule rule, int bins, long high) {
    return (samples, at) -> samples.integer(at) == high ? bins - 1 : rule.bin(samples, at);
  }

  static Rule ranges(long[] edges) {
    TreeMap<Long, Integer> last = new TreeMap<>();
    for (int i = 0; i < edges.length; i++) {
      last.put(edges[i], i);
    }
    return (samples, at) -> inRange(last.floorEntry(samples.integer(at)), edges.length - 1);
  }

  static Rule ranges(double[] edges) {
    TreeMap<Double, Integer> last = new TreeMap<>();
    for (int i = 0; i < edges.length; i++) {
      last.put(edges[i] + 0.0, i);
    }
    return (samples, at) -> {
      double x = samples.real(at) + 0.0;
      return Double.isNaN(x) ? NAN : inRange(last.floorEntry(x), edges.length - 1);
    };
  }

  private static int inRange(Map.Entry<?, Integer> edge, int bins) {
    if (edge == null) {
      return BELOW;
    }
    return edge.getValue() == bins ? ABOVE : edge.getValue();
  }
}
