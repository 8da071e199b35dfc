package funnel.bench;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Measurements of methods of the heat equation. */
final class HeatReport extends Report<HeatMeasurement> {

  private static final GridSize LECTURE_SIZE = new GridSize(14400, 14400);
  private static final int LECTURE_STEPS = 100;

  /** Seconds of methods 1 to 4 on a GTX 260, floats. */
  private static final double[] LECTURE = {7.41, 6.26, 5.96, 4.03};

  HeatReport(String command, String engine, Map<String, String> details) {
    super(command, engine, details);
  }

  /** Whether all results are right, and all fields that were computed are the same bit for bit. */
  @Override
  boolean isRight() {
    return measurements().stream()
        .filter(HeatMeasurement::isMeasured)
        .allMatch(m -> m.isRight() && hasBitsOfOthers(m));
  }

  private boolean hasBitsOfOthers(HeatMeasurement m) {
    return measurements().stream()
        .filter(other -> other.isBeside(m) && !other.hash().isEmpty() && !m.hash().isEmpty())
        .allMatch(other -> other.hash().equals(m.hash()));
  }

  /** How many times as fast as Funnel's method 1 on the same field. */
  double speedUp(HeatMeasurement m) {
    return first(m).map(one -> one.nanos() / m.nanos()).orElse(Double.NaN);
  }

  private Optional<HeatMeasurement> first(HeatMeasurement m) {
    return measurements().stream()
        .filter(other -> other.number() == 1 && other.isBeside(m) && other.isMeasured())
        .findFirst();
  }

  /** The share of the speed of a device copy of the same field. */
  double shareOfCopy(HeatMeasurement m) {
    return measurements().stream()
        .filter(other -> other.isCopy() && other.isBeside(m))
        .findFirst()
        .map(copy -> m.gigabytesPerSecond() / copy.gigabytesPerSecond())
        .orElse(Double.NaN);
  }

  /** The lecture's time for a method, in seconds, or NaN. */
  private static double lecture(HeatMeasurement m) {
    return m.number() >= 1
            && m.number() <= LECTURE.length
            && m.size().equals(LECTURE_SIZE)
            && m.steps() == LECTURE_STEPS
        ? LECTURE[m.number() - 1]
        : Double.NaN;
  }

  @Override
  String[] headings() {
    return new String[] {
      "method",
      "subject",
      "type",
      "size",
      "steps",
      "kernel ms",
      "us a step",
      "wall ms",
      "host",
      "speed-up",
      "GB/s",
      "of copy",
      "lecture s",
      "speed-up",
      "result"
    };
  }

  @Override
  String[] row(HeatMeasurement m) {
    double lecture = lecture(m);
    return new String[] {
      m.number() == 0 ? NONE : Integer.toString(m.number()),
      m.subject(),
      m.typeName(),
      m.size().toString(),
      Integer.toString(m.steps()),
      millis(m.kernel()),
      number(m.nanos() / 1e3 / m.steps(), 1),
      millis(m.wall()),
      number(m.hostShare(), 3),
      m.isCopy() ? NONE : number(speedUp(m), 2),
      number(m.gigabytesPerSecond(), 0),
      m.kernel() == null ? NONE : number(shareOfCopy(m), 3),
      number(lecture, 2),
      number(LECTURE[0] / lecture, 2),
      result(m)
    };
  }

  @Override
  boolean isLeft(int column) {
    return column > 0 && column < 4;
  }

  @Override
  String legend() {
    return """
    host: the share of the wall time in which no kernel runs.
    GB/s: 2 elements for each node and step over the median time of a run's kernels, \
    or of the host where there are none.
    of copy: that speed over the speed of a device copy of the field.
    lecture: a GTX 260, floats, 14400x14400, 100 steps: methods 1 to 4 in 7.41, 6.26, \
    5.96 and 4.03 s.
    """;
  }

  private String result(HeatMeasurement m) {
    if (!m.isMeasured()) {
      return m.note();
    }
    return !m.isRight()
        ? "WRONG: " + m.result()
        : hasBitsOfOthers(m) ? m.result() : "OTHER BITS: " + m.hash();
  }

  private static String millis(@Nullable Timing timing) {
    return timing == null ? NONE : number(timing.median() / 1e6, 3);
  }

  private static String number(double value, int digits) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%." + digits + "f", value) : NONE;
  }

  @Override
  void describe(HeatMeasurement m, JsonLine line) {
    line.add("subject", m.subject())
        .add("method", m.number())
        .add("type", m.typeName())
        .add("nx", m.size().nx())
        .add("ny", m.size().ny())
        .add("steps", m.steps())
        .add("gigabytes_per_second", m.gigabytesPerSecond())
        .add("share_of_copy", shareOfCopy(m))
        .add("speed_up", m.isCopy() ? Double.NaN : speedUp(m))
        .add("host_share", m.hostShare())
        .add("lecture_seconds", lecture(m))
        .add("hash", m.hash())
        .add("right", m.isMeasured() && m.isRight() && hasBitsOfOthers(m))
        .add("result", m.result())
        .add("note", m.note())
        .add("kernel_ns", m.kernel())
        .add("wall_ns", m.wall());
  }
}
