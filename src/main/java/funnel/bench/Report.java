package funnel.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All measurements of one run, as a table and as JSON lines. */
final class Report {

  private static final String NONE = "-";

  private final String command;
  private final String engine;
  private final Map<String, String> details;
  private final Instant date = Instant.now();
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private Map<String, String> peersDevice = Map.of();

  Report(String command, String engine, Map<String, String> details) {
    this.command = command;
    this.engine = engine;
    this.details = details;
  }

  void add(Measurement measurement) {
    measurements.add(measurement);
  }

  void note(String note) {
    notes.add(note);
  }

  void peersDevice(Map<String, String> device) {
    peersDevice = device;
  }

  List<Measurement> measurements() {
    return List.copyOf(measurements);
  }

  /** Whether every measurement that was taken had the right result. */
  boolean isRight() {
    return measurements.stream().allMatch(m -> m.right() || !m.isMeasured());
  }

  /** Bytes read and written by a device copy in a nanosecond, or NaN if none was measured. */
  double copyCeiling() {
    return measurements.stream()
        .filter(m -> m.work() == Work.COPY)
        .mapToDouble(Measurement::gigabytesPerSecond)
        .findFirst()
        .orElse(Double.NaN);
  }

  /** A table for people. */
  String table() {
    List<String[]> rows = new ArrayList<>();
    rows.add(
        new String[] {
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
        });
    double ceiling = copyCeiling();
    List<Measurement> inOrder = new ArrayList<>(measurements);
    inOrder.sort(
        Comparator.comparing(Measurement::type)
            .thenComparing(Measurement::op)
            .thenComparingInt(Measurement::length));
    for (Measurement m : inOrder) {
      double speed = m.gigabytesPerSecond();
      rows.add(
          new String[] {
            m.label(),
            m.typeName(),
            m.op(),
            Integer.toString(m.length()),
            micros(m.kernel()),
            spread(m.kernel()),
            micros(m.wall()),
            spread(m.wall()),
            Double.isNaN(speed) ? NONE : String.format(Locale.ROOT, "%.1f", speed),
            m.kernel() == null || Double.isNaN(speed / ceiling)
                ? NONE
                : String.format(Locale.ROOT, "%.3f", speed / ceiling),
            m.isMeasured() ? (m.right() ? "right" : "WRONG: " + m.result()) : m.note()
          });
    }
    StringBuilder text = new StringBuilder();
    text.append("engine: ").append(engine).append('\n');
    appendAligned(text, rows);
    text.append(
            "GB/s: bytes of the input (a scan or a copy: read and written) over the median time of"
                + " the")
        .append(" kernels, or of the host where there are none.\n");
    text.append("of copy: that speed over the device copy's.\n");
    notes.forEach(note -> text.append("note: ").append(note).append('\n'));
    return text.toString();
  }

  private static void appendAligned(StringBuilder text, List<String[]> rows) {
    int columns = rows.getFirst().length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int c = 0; c < columns; c++) {
        widths[c] = Math.max(widths[c], row[c].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        boolean left = c < 3 || c == columns - 1;
        String padding = " ".repeat(c == columns - 1 ? 0 : widths[c] - row[c].length());
        line.append(left ? row[c] + padding : padding + row[c]).append("  ");
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
  }

  private static String micros(@Nullable Timing timing) {
    return timing == null ? NONE : timing.micros();
  }

  private static String spread(@Nullable Timing timing) {
    return timing == null ? NONE : timing.spread();
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
    for (Measurement m : measurements) {
      lines.add(
          new JsonLine()
              .add("record", "measurement")
              .add("subject", m.subject())
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
              .add("wall_ns", m.wall())
              .toString());
    }
    Files.write(file, lines);
  }
}
