package funnel.bench;

import funnel.file.Json;
import funnel.file.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All measurements of a run, as a table and as JSON lines.
 *
 * @param <C> the cases of the measurements
 */
abstract class Report<C extends Case> {

  /** A cell without a value. */
  static final String NONE = "-";

  private final String command;
  private final String engine;
  private final Map<String, String> details;
  private final Instant date = Instant.now();
  private final List<Measurement<C>> measurements = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private Map<String, String> peersDevice = Map.of();

  Report(String command, String engine, Map<String, String> details) {
    this.command = command;
    this.engine = engine;
    this.details = details;
  }

  /**
   * A column of the table.
   *
   * @param isLeft whether cells are left-aligned; the last column always is
   * @param cell a measurement's cell
   */
  record Column<C extends Case>(
      String heading, boolean isLeft, Function<Measurement<C>, String> cell) {}

  /** The table's columns, without the last one, the result. */
  abstract List<Column<C>> columns();

  /** Explanations of the table, in lines. */
  abstract String legend();

  /** Adds the case, and comparisons with other measurements, to a JSON line. */
  abstract void describe(Measurement<C> measurement, Map<String, @Nullable Object> line);

  final Column<C> left(String heading, Function<Measurement<C>, String> cell) {
    return new Column<>(heading, true, cell);
  }

  final Column<C> right(String heading, Function<Measurement<C>, String> cell) {
    return new Column<>(heading, false, cell);
  }

  /** The measurements in the order of the table. */
  List<Measurement<C>> inOrder() {
    return measurements();
  }

  /** A measurement's verdict: right, or what is wrong, or why there is none. */
  String verdict(Measurement<C> m) {
    return !m.isMeasured() ? m.note() : m.right() ? Measurement.RIGHT : "WRONG: " + m.result();
  }

  private boolean isRight(Measurement<C> m) {
    return m.isMeasured() && verdict(m).equals(Measurement.RIGHT);
  }

  /** Whether every measurement had the right result. */
  final boolean isRight() {
    return measurements.stream().allMatch(m -> isRight(m) || !m.isMeasured());
  }

  /** Bytes that a device copy read and wrote per nanosecond, or NaN if none was measured. */
  final double copyCeiling() {
    return copyBeside(measurements.stream());
  }

  /** The speed of the first copy among measurements. */
  static <C extends Case> double copyBeside(Stream<Measurement<C>> measurements) {
    return measurements
        .filter(Measurement::isCopy)
        .mapToDouble(Measurement::gigabytesPerSecond)
        .findFirst()
        .orElse(Double.NaN);
  }

  /** The speed relative to a device copy. */
  double shareOfCopy(Measurement<C> m) {
    return m.gigabytesPerSecond() / copyCeiling();
  }

  final void add(Measurement<C> measurement) {
    measurements.add(measurement);
  }

  final void note(String note) {
    notes.add(note);
  }

  final void peersDevice(Map<String, String> device) {
    peersDevice = device;
  }

  final List<Measurement<C>> measurements() {
    return List.copyOf(measurements);
  }

  static String micros(@Nullable Timing timing) {
    return timing == null ? NONE : timing.micros();
  }

  static String spread(@Nullable Timing timing) {
    return timing == null ? NONE : timing.spread();
  }

  static String number(double value, int digits) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%." + digits + "f", value) : NONE;
  }

  /** A number for JSON: null if it was not measured. */
  static @Nullable Number number(double value) {
    return Double.isFinite(value) ? Timing.rounded(value) : null;
  }

  /** A table for people. */
  final String table() {
    List<Column<C>> columns = new ArrayList<>(columns());
    columns.add(left("result", this::verdict));
    StringBuilder text = new StringBuilder();
    text.append("engine: ").append(engine);
    text.append(", ").append(date.toString(), 0, "2026-11-24".length()).append('\n');
    appendAligned(text, columns);
    text.append(legend());
    notes.forEach(note -> text.append("note: ").append(note).append('\n'));
    return text.toString();
  }

  private void appendAligned(StringBuilder text, List<Column<C>> columns) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(columns.stream().map(Column::heading).toList());
    inOrder().forEach(m -> rows.add(columns.stream().map(c -> c.cell().apply(m)).toList()));
    int[] widths = new int[columns.size()];
    rows.forEach(row -> Arrays.setAll(widths, c -> Math.max(widths[c], row.get(c).length())));
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < columns.size(); c++) {
        String padding = " ".repeat(widths[c] - row.get(c).length());
        line.append(columns.get(c).isLeft() ? row.get(c) + padding : padding + row.get(c));
        line.append("  ");
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
  }

  final void writeJson(Path file) throws IOException {
    WholeFile.write(file, json().getBytes(StandardCharsets.UTF_8));
  }

  /** One line about the run, then one for each measurement, with all its times. */
  final String json() {
    List<String> lines = new ArrayList<>();
    Map<String, Object> run = new LinkedHashMap<>();
    run.put("record", "run");
    run.put("date", date.toString());
    run.put("command", command);
    run.put("engine", engine);
    run.put("details", details);
    run.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    run.put("processors", Runtime.getRuntime().availableProcessors());
    run.put("peers_device", peersDevice);
    run.put("notes", String.join("; ", notes));
    lines.add(Json.of(run));
    measurements.forEach(m -> lines.add(Json.of(asMap(m))));
    return String.join("\n", lines) + "\n";
  }

  private Map<String, @Nullable Object> asMap(Measurement<C> m) {
    Map<String, @Nullable Object> line = new LinkedHashMap<>();
    line.put("record", "measurement");
    line.put("subject", m.subject());
    describe(m, line);
    line.put("result", m.result());
    line.put("right", isRight(m));
    line.put("note", m.note());
    line.put("kernel_ns", m.kernel() == null ? null : m.kernel().asMap());
    line.put("wall_ns", m.wall() == null ? null : m.wall().asMap());
    return line;
  }
}
