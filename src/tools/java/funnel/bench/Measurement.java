package funnel.bench;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of a benchmark: the case, the times, and whether the result was right.
 *
 * @param <C> the case
 * @param subject the name of the subject: funnel, cub, ...
 * @param what the case
 * @param cache whether the same buffer was read in each run: warm or cold
 * @param kernel time on the device, or null
 * @param wall time on the host, or null if it was not taken
 * @param result the result as text, or what is wrong with it
 * @param right whether the result was right
 * @param note why there are no times, or a remark on them, or empty
 */
record Measurement<C extends Case>(
    String subject,
    C what,
    String cache,
    @Nullable Timing kernel,
    @Nullable Timing wall,
    String result,
    boolean right,
    String note) {

  static final String COPY = "copy";
  static final String RIGHT = "right";
  private static final String WARM = "warm";
  private static final String COLD = "cold";

  /** A measured subject of this process. */
  static <C extends Case> Measurement<C> taken(
      String subject, C what, @Nullable Timing kernel, @Nullable Timing wall, Outcome outcome) {
    boolean right = outcome.wrong().isEmpty();
    String result = right ? outcome.result() : outcome.wrong();
    return new Measurement<>(subject, what, WARM, kernel, wall, result, right, "");
  }

  /** A line of a CUDA program. */
  static <C extends Case> Measurement<C> ofLine(
      Map<String, String> line, C what, String result, boolean right) {
    return new Measurement<>(
        line.getOrDefault("subject", "?"),
        what,
        line.getOrDefault("cache", ""),
        CudaPeers.timing(line.get("kernel_ns")),
        CudaPeers.timing(line.get("wall_ns")),
        result,
        right,
        line.getOrDefault("note", ""));
  }

  /** A subject that could not be measured. */
  static <C extends Case> Measurement<C> failed(String subject, C what, String why) {
    return new Measurement<>(subject, what, "", null, null, "", false, why);
  }

  /** The same with a remark on its times. */
  Measurement<C> noting(String known) {
    return new Measurement<>(subject, what, cache, kernel, wall, result, right, known);
  }

  boolean isMeasured() {
    return kernel != null || wall != null;
  }

  boolean isCopy() {
    return subject.equals(COPY);
  }

  /** Median time of the kernels, or of the host if there are none, in nanoseconds. */
  double nanos() {
    Timing timing = kernel != null ? kernel : wall;
    return timing == null ? Double.NaN : timing.median();
  }

  /** The bytes of the case divided by that time. */
  double gigabytesPerSecond() {
    return what.bytes() / nanos();
  }

  /** Subject with block size and cache, for tables and legends. */
  String label() {
    return subject + what.suffix() + (cache.equals(COLD) && !isCopy() ? " (cold)" : "");
  }

  String typeName() {
    return Named.of(what.type());
  }
}
