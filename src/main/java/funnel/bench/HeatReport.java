package funnel.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All measurements of a heat benchmark, as a table and as JSON lines. */
final class HeatReport {

  private static final String NONE = "-";
  private static final GridSize LECTURE_SIZE = new GridSize(14400, 14400);
  private static final int LECTURE_STEPS = 100;

  /** Seconds of methods 1 to 4 on a GTX 260, floats. */
  private static final double[] LECTURE = {7.41, 6.26, 5.96, 4.03};

  private final String command;
  private final String engine;
  private final Map<String, String> details;
  private final Instant date = Instant.now();
  private final List<HeatMeasurement> measurements = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private Map<String, String> peersDevice = Map.of();

  HeatReport(String command, String engine, Map<String, String> details) {
    this.command = command;
    this.engine = engine;
    this.details = details;
  }

  void add(HeatMeasurement measurement) {
    measurements.add(measurement);
  }

  void note(String note) {
    notes.add(note);
  }

  void peersDevice(Map<String, String> device) {
    peersDevice = device;
  }

  List<HeatMeasurement> measurements() {
    return List.copyOf(measurements);
  }

  /** Whether all results are right, and all fields that were computed are the same bit for bit. */
  boolean isRight() {
    return measurements.stream()
        .filter(HeatMeasurement::isMeasured)
        .allMatch(m -> m.isRight() && hasBitsOfOthers(m));
  }

  private boolean hasBitsOfOthers(HeatMeasurement m) {
    return measurements.stream()
        .filter(other -> other.isBeside(m) && !other.hash().isEmpty() && !m.hash().isEmpty())
        .allMatch(other -> other.hash().equals(m.hash()));
  }

  /** How many times as fast as Funnel's method 1 on the same field. */
  double speedUp(HeatMeasurement m) {
    return first(m).map(one -> one.nanos() / m.nanos()).orElse(Double.NaN);
  }

  private Optional<HeatMeasurement> first(HeatMeasurement m) {
    return measurements.stream()
        .filter(other -> other.number() == 1 && other.isBeside(m) && other.isMeasured())
        .findFirst();
  }

  /** The share of the speed of a device copy of the same field. */
  double shareOfCopy(HeatMeasurement m) {
    return measurements.stream()
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

  /** A table for people. */
  String table() {
    List<String[]> rows = new ArrayList<>();
    rows.add(
        new String[] {
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
        });
    for (HeatMeasurement m : measurements) {
      double lecture = lecture(m);
      rows.add(
          new String[] {
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
          });
    }
    StringBuilder text = new StringBuilder();
    text.append("engine: ").append(engine).append('\n');
    appendAligned(text, rows);
    text.append("host: the share of the wall time in which no kernel runs.\n");
    text.append("GB/s: 2 elements for each node and step over the median time of a run's kernels,")
        .append(" or of the host where there are none.\n")
        .append("of copy: that speed over the speed of a device copy of the field.\n")
        .append("lecture: a GTX 260, floats, 14400x14400, 100 steps: methods 1 to 4 in 7.41, 6.26,")
        .append(" 5.96 and 4.03 s.\n");
    notes.forEach(note -> text.append("note: ").append(note).append('\n'));
    return text.toString();
  }

  private String result(HeatMeasurement m) {
    if (!m.isMeasured()) {
      return m.note();
    }
    return !m.isRight()
        ? "WRONG: " + m.result()
        : hasBitsOfOthers(m) ? m.result() : "OTHER BITS: " + m.hash();
  }

  private static void appendAligned(StringBuilder text, List<String[]> rows) {
    int columns = rows.getFirst().length;
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        int column = c;
        int width = rows.stream().mapToInt(other -> other[column].length()).max().orElse(0);
        boolean left = c > 0 && c < 4 || c == columns - 1;
        line.append(("%" + (left ? "-" : "") + Math.max(1, width) + "s  ").formatted(row[c]));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
  }

  private static String millis(@Nullable Timing timing) {
    return timing == null ? NONE : number(timing.median() / 1e6, 3);
  }

  private static String number(double value, int digits) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%." + digits + "f", value) : NONE;
  }

  /** Writes one line about the run, then one a measurement, with every single time. */
  void writeJson(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(
        new JsonLine()
            .add("record", "run")
            .add("date", date.toString())
            .add("command", command)
            .add("engine", engine)
            .add("details", details)
            .add("os", System.getProperty("os.name") + " " + System.getProperty("os.version"))
            .add("processors", Runtime.getRuntime().availableProcessors())
            .add("peers_device", peersDevice)
            .add("notes", String.join("; ", notes))
            .toString());
    for (HeatMeasurement m : measurements) {
      lines.add(
          new JsonLine()
              .add("record", "measurement")
              .add("subject", m.subject())
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
              .add("wall_ns", m.wall())
              .toString());
    }
    Files.write(file, lines);
  }
}
