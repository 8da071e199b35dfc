package funnel.bench;

import java.util.Arrays;
import java.util.Locale;

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
