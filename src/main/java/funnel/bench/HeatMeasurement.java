package funnel.bench;

import funnel.operator.ElementType;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A line of the heat benchmark.
 *
 * @param subject who ran: funnel/global, cuda-naive, copy
 * @param number of the method, 0 where it has none
 * @param type of the field
 * @param size of the field
 * @param steps of one run, 1 for a copy
 * @param kernel time of a run's kernels, or null where there is none
 * @param wall time of a run on the host, or null where it was not taken
 * @param hash of all bits of the field after the first run, or empty
 * @param result what is wrong with it, or "right"
 * @param note why there are no times, or empty
 */
record HeatMeasurement(
    String subject,
    int number,
    ElementType type,
    GridSize size,
    int steps,
    @Nullable Timing kernel,
    @Nullable Timing wall,
    String hash,
    String result,
    String note) {

  static final String COPY = "copy";
  static final String RIGHT = "right";

  boolean isMeasured() {
    return kernel != null || wall != null;
  }

  boolean isCopy() {
    return subject.equals(COPY);
  }

  boolean isRight() {
    return result.equals(RIGHT);
  }

  /** Median time of a run, of its kernels if that was taken, in nanoseconds. */
  double nanos() {
    Timing timing = kernel != null ? kernel : wall;
    return timing == null ? Double.NaN : timing.median();
  }

  /** Each step reads and writes every node once. */
  double gigabytesPerSecond() {
    return 2.0 * type.bytes() * size.nodes() * steps / nanos();
  }

  /** The share of a run's time on the host in which no kernel runs; NaN without both times. */
  double hostShare() {
    return kernel == null || wall == null ? Double.NaN : 1 - kernel.median() / wall.median();
  }

  String typeName() {
    return type.name().toLowerCase(Locale.ROOT);
  }

  /** Whether both are about the same field. */
  boolean isBeside(HeatMeasurement other) {
    return type == other.type && size.equals(other.size);
  }
}
