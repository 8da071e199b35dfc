package funnel.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Measurements of histograms. */
final class HistogramReport extends Report<HistogramMeasurement> {

  HistogramReport(String command, String engine, Map<String, String> details) {
    super(command, engine, details);
  }

  @Override
  boolean isRight() {
    return measurements().stream().allMatch(m -> m.isRight() || !m.isMeasured());
  }

  /** Bytes read and written by a device copy in a nanosecond, or NaN if none was measured. */
  double copyCeiling() {
    return measurements().stream()
        .filter(HistogramMeasurement::isCopy)
        .mapToDouble(HistogramMeasurement::gigabytesPerSecond)
        .findFirst()
        .orElse(Double.NaN);
  }

  /** A share of the copy's speed, for what runs on the same device. */
  double shareOfCopy(HistogramMeasurement m) {
    return m.kernel() == null ? Double.NaN : m.gigabytesPerSecond() / copyCeiling();
  }

  /**
   * CUB's kernels' time for the same over this one's: with the same buffer again and again if it
   * was so measured.
   */
  double shareOfCub(HistogramMeasurement m) {
    Optional<HistogramMeasurement> cub =
        measurements().stream()
            .filter(other -> other.subject().equals(HistogramMeasurement.CUB))
            .filter(other -> other.isMeasured() && other.isBeside(m))
            .min(Comparator.comparing(other -> isOther(other, m)));
    return m.kernel() == null ? Double.NaN : cub.map(c -> c.nanos() / m.nanos()).orElse(Double.NaN);
  }

  private static boolean isOther(HistogramMeasurement cub, HistogramMeasurement m) {
    return !cub.cache().equals(m.cache());
  }

  /** How many times as long as on uniform samples. */
  double timesUniform(HistogramMeasurement m) {
    return measurements().stream()
        .filter(other -> other.data().equals(SampleData.UNIFORM.label()) && !m.isCopy())
        .filter(other -> other.label().equals(m.label()) && other.isOfSameSize(m))
        .filter(HistogramMeasurement::isMeasured)
        .findFirst()
        .map(uniform -> m.nanos() / uniform.nanos())
        .orElse(Double.NaN);
  }

  @Override
  String[] headings() {
    return new String[] {
      "subject",
      "type",
      "data",
      "bins",
      "length",
      "kernel us",
      "p10..p90",
      "wall us",
      "p10..p90",
      "GB/s",
      "of CUB",
      "of copy",
      "x uniform",
      "result"
    };
  }

  @Override
  String[] row(HistogramMeasurement m) {
    return new String[] {
      m.label(),
      m.typeName(),
      m.data(),
      m.isCopy() ? NONE : Integer.toString(m.bins()),
      Integer.toString(m.length()),
      m.kernel() == null ? NONE : m.kernel().micros(),
      spread(m.kernel()),
      m.wall() == null ? NONE : m.wall().micros(),
      spread(m.wall()),
      number(m.gigabytesPerSecond(), 1),
      number(shareOfCub(m), 3),
      number(shareOfCopy(m), 3),
      number(timesUniform(m), 2),
      m.isMeasured() ? (m.isRight() ? m.result() : "WRONG: " + m.result()) : m.note()
    };
  }

  private static String spread(@Nullable Timing timing) {
    return timing == null ? NONE : timing.spread();
  }

  private static String number(double value, int digits) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%." + digits + "f", value) : NONE;
  }

  @Override
  boolean isLeft(int column) {
    return column < 3;
  }

  @Override
  List<HistogramMeasurement> inOrder() {
    return measurements().stream()
        .sorted(
            Comparator.comparing(HistogramMeasurement::isCopy)
                .reversed()
                .thenComparing(HistogramMeasurement::type)
                .thenComparingInt(HistogramMeasurement::length)
                .thenComparingInt(HistogramMeasurement::bins)
                .thenComparing(m -> SampleData.valueOf(m.data().toUpperCase(Locale.ROOT))))
        .toList();
  }

  @Override
  String legend() {
    return """
    GB/s: bytes of the samples (a copy: read and written) over the median time of the kernels, \
    or of the host where there are none. wall: until the counts are on the host.
    of CUB: the time of cub's kernels over this one's; of copy: the speed over the device copy's.
    x uniform: the time over that on uniform samples.
    """;
  }

  @Override
  void describe(HistogramMeasurement m, JsonLine line) {
    line.add("subject", m.subject())
        .add("type", m.typeName())
        .add("data", m.data())
        .add("bins", m.bins())
        .add("length", m.length())
        .add("cache", m.cache())
        .add("gigabytes_per_second", m.gigabytesPerSecond())
        .add("share_of_cub", shareOfCub(m))
        .add("share_of_copy", shareOfCopy(m))
        .add("times_uniform", timesUniform(m))
        .add("result", m.result())
        .add("right", m.isMeasured() && m.isRight())
        .add("note", m.note())
        .add("kernel_ns", m.kernel())
        .add("wall_ns", m.wall());
  }
}
