package funnel.bench;

import funnel.io.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * All measurements of one run, as a table and as JSON lines.
 *
 * @param <M> a measurement
 */
abstract class Report<M> {

  /** A cell without a value. */
  static final String NONE = "-";

  private final String command;
  private final String engine;
  private final Map<String, String> details;
  private final Instant date = Instant.now();
  private final List<M> measurements = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private Map<String, String> peersDevice = Map.of();

  Report(String command, String engine, Map<String, String> details) {
    this.command = command;
    this.engine = engine;
    this.details = details;
  }

  /** Whether every measurement that was taken had the right result. */
  abstract boolean isRight();

  /** The headings of the table's columns. */
  abstract String[] headings();

  /** A measurement's cells. */
  abstract String[] row(M measurement);

  /** Whether a column begins at the left; the last one always does. */
  abstract boolean isLeft(int column);

  /** What the table's reader must know, in lines. */
  abstract String legend();

  /** Adds all that a measurement says. */
  abstract void describe(M measurement, JsonLine line);

  /** The measurements as they stand in the table. */
  List<M> inOrder() {
    return measurements();
  }

  final void add(M measurement) {
    measurements.add(measurement);
  }

  final void note(String note) {
    notes.add(note);
  }

  final void peersDevice(Map<String, String> device) {
    peersDevice = device;
  }

  final List<M> measurements() {
    return List.copyOf(measurements);
  }

  /** A table for people. */
  final String table() {
    List<String[]> rows = new ArrayList<>();
    rows.add(headings());
    inOrder().forEach(m -> rows.add(row(m)));
    StringBuilder text = new StringBuilder();
    text.append("engine: ").append(engine).append('\n');
    appendAligned(text, rows);
    text.append(legend());
    notes.forEach(note -> text.append("note: ").append(note).append('\n'));
    return text.toString();
  }

  private void appendAligned(StringBuilder text, List<String[]> rows) {
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
        boolean last = c == columns - 1;
        String padding = " ".repeat(last ? 0 : widths[c] - row[c].length());
        line.append(last || isLeft(c) ? row[c] + padding : padding + row[c]).append("  ");
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
  }

  /** Writes one line about the run, then one a measurement, with every single time. */
  final void writeJson(Path file) throws IOException {
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
    for (M measurement : measurements) {
      JsonLine line = new JsonLine().add("record", "measurement");
      describe(measurement, line);
      lines.add(line.toString());
    }
    WholeFile.write(file, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
