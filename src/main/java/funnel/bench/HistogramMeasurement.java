package funnel.bench;

import funnel.operator.ElementType;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A line of the histogram benchmark.
 *
 * @param subject who counted: funnel, funnel/strided, cub, ...
 * @param type of the samples
 * @param data how they are distributed
 * @param length how many
 * @param bins how many, 0 for a copy
 * @param cache whether the same buffer was read again and again: warm or cold
 * @param kernel time on the device, or null where there is none
 * @param wall time on the host until the counts are there, or null where it was not taken
 * @param result what is wrong with the counts, or "right"
 * @param note why there are no times, or empty
 */
record HistogramMeasurement(
    String subject,
    ElementType type,
    String data,
    int length,
    int bins,
    String cache,
    @Nullable Timing kernel,
    @Nullable Timing wall,
    String result,
    String note) {

  static final String COPY = "copy";
  static final String CUB = "cub";
  static final String RIGHT = "right";
  static final String WARM = "warm";
  static final String COLD = "cold";

  /** A subject that could not be measured. */
  static HistogramMeasurement failed(String subject, Samples samples, int bins, String why) {
    return new HistogramMeasurement(
        subject,
        samples.type(),
        samples.data().label(),
        samples.length(),
        bins,
        "",
        null,
        null,
        "",
        why);
  }

  boolean isMeasured() {
    return kernel != null || wall != null;
  }

  boolean isRight() {
    return result.equals(RIGHT);
  }

  boolean isCopy() {
    return subject.equals(COPY);
  }

  /** Median time of the kernels, or of the host where there are none, in nanoseconds. */
  double nanos() {
    Timing timing = kernel != null ? kernel : wall;
    return timing == null ? Double.NaN : timing.median();
  }

  /** Bytes of the samples, of a copy read and written, over that time. */
  double gigabytesPerSecond() {
    return (double) length * type.bytes() * (isCopy() ? 2 : 1) / nanos();
  }

  /** Whether both count the same samples into the same bins. */
  boolean isBeside(HistogramMeasurement other) {
    return data.equals(other.data) && isOfSameSize(other);
  }

  /** Whether both count as many samples of one type into as many bins. */
  boolean isOfSameSize(HistogramMeasurement other) {
    return type == other.type && length == other.length && bins == other.bins;
  }

  /** Subject and cache, for tables and legends. */
  String label() {
    return subject + (cache.equals(COLD) && !isCopy() ? " (cold)" : "");
  }

  String typeName() {
    return type.name().toLowerCase(Locale.ROOT);
  }
}
