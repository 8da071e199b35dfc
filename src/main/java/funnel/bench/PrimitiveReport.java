package funnel.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measurements of primitives over arrays of elements. */
final class PrimitiveReport extends Report<Measurement> {

  PrimitiveReport(String command, String engine, Map<String, String> details) {
    super(command, engine, details);
  }

  @Override
  boolean isRight() {
    return measurements().stream().allMatch(m -> m.right() || !m.isMeasured());
  }

  /** Bytes read and written by a device copy in a nanosecond, or NaN if none was measured. */
  double copyCeiling() {
    return measurements().stream()
        .filter(m -> m.work() == Work.COPY)
        .mapToDouble(Measurement::gigabytesPerSecond)
        .findFirst()
        .orElse(Double.NaN);
  }

  @Override
  String[] headings() {
    return new String[] {
      "subject",
      "type",
      "op",
      "length",
      "kernel us",
      "p10..p90",
      "wall us",
      "p10..p90",
      "GB/s",
      "of copy",
      "result"
    };
  }

  @Override
  String[] row(Measurement m) {
    double speed = m.gigabytesPerSecond();
    double share = speed / copyCeiling();
    return new String[] {
      m.label(),
      m.typeName(),
      m.op(),
      Integer.toString(m.length()),
      micros(m.kernel()),
      spread(m.kernel()),
      micros(m.wall()),
      spread(m.wall()),
      Double.isNaN(speed) ? NONE : String.format(Locale.ROOT, "%.1f", speed),
      m.kernel() == null || Double.isNaN(share) ? NONE : String.format(Locale.ROOT, "%.3f", share),
      m.isMeasured() ? (m.right() ? "right" : "WRONG: " + m.result()) : m.note()
    };
  }

  @Override
  boolean isLeft(int column) {
    return column < 3;
  }

  @Override
  List<Measurement> inOrder() {
    return measurements().stream()
        .sorted(
            Comparator.comparing(Measurement::type)
                .thenComparing(Measurement::op)
                .thenComparingInt(Measurement::length))
        .toList();
  }

  @Override
  String legend() {
    return """
    GB/s: bytes of the input (a scan or a copy: read and written) over the median time of the \
    kernels, or of the host where there are none.
    of copy: that speed over the device copy's.
    """;
  }

  @Override
  void describe(Measurement m, JsonLine line) {
    line.add("subject", m.subject())
        .add("block", m.block())
        .add("work", m.work().label())
        .add("type", m.typeName())
        .add("op", m.op())
        .add("length", m.length())
        .add("cache", m.cache())
        .add("gigabytes_per_second", m.gigabytesPerSecond())
        .add("share_of_copy", m.gigabytesPerSecond() / copyCeiling())
        .add("result", m.result())
        .add("expected", m.expected())
        .add("right", m.right())
        .add("note", m.note())
        .add("kernel_ns", m.kernel())
        .add("wall_ns", m.wall());
  }

  private static String micros(@Nullable Timing timing) {
    return timing == null ? NONE : timing.micros();
  }

  private static String spread(@Nullable Timing timing) {
    return timing == null ? NONE : timing.spread();
  }
}
