package funnel.bench;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Times of repeated runs of one thing, in nanoseconds. */
final class Timing {

  private static final double NANOS_PER_MICRO = 1e3;

  private final double[] inOrder;
  private final double[] sorted;

  Timing(double[] nanos) {
    if (nanos.length == 0) {
      throw new IllegalArgumentException("no times given");
    }
    this.inOrder = nanos.clone();
    this.sorted = nanos.clone();
    Arrays.sort(sorted);
  }

  /** The times in the order in which they were taken. */
  double[] nanos() {
    return inOrder.clone();
  }

  int count() {
    return sorted.length;
  }

  /** The time that a share of the runs did not exceed: 0.5 gives the median. */
  double quantile(double share) {
    return sorted[(int) Math.round(share * (sorted.length - 1))];
  }

  double median() {
    return quantile(0.5);
  }

  /** For JSON: median, deciles and all times. */
  Map<String, Object> asMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("median", rounded(median()));
    map.put("p10", rounded(quantile(0.1)));
    map.put("p90", rounded(quantile(0.9)));
    map.put("all", Arrays.stream(inOrder).mapToObj(Timing::rounded).toList());
    return map;
  }

  /** A finite number with six digits for JSON, or without a fraction if it has none. */
  static Number rounded(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? (Number) (long) value
        : new BigDecimal(String.format(Locale.ROOT, "%.6g", value));
  }

  /** The median in microseconds. */
  String micros() {
    return String.format(Locale.ROOT, "%.1f", median() / NANOS_PER_MICRO);
  }

  /** The first and the last decile in microseconds. */
  String spread() {
    return String.format(
        Locale.ROOT,
        "%.1f..%.1f",
        quantile(0.1) / NANOS_PER_MICRO,
        quantile(0.9) / NANOS_PER_MICRO);
  }
}
