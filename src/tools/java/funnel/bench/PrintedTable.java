package funnel.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The correct rows of a printed table, parsed from its text. Charts are drawn from these, so that
 * stored tables can be drawn again.
 *
 * @param machine the engine, and the date if it is known
 */
record PrintedTable(String machine, List<Row> rows) {

  private static final String ENGINE = "engine: ";
  private static final Pattern COLD_OR_BLOCK = Pattern.compile(" \\(cold\\)$|/\\d+$");
  private static final Pattern TIME = Pattern.compile("(kernel|wall) (us|ms)");

  /**
   * A row.
   *
   * @param subject the subject without block size and state of the cache
   * @param what heading and cell of each column that describes the case
   * @param kernel microseconds of the kernels, or NaN
   * @param wall microseconds of the host, or NaN
   */
  record Row(String subject, Map<String, String> what, double kernel, double wall) {

    /** The speed relative to the peer, on a clock that both have. */
    double speed(Row peer) {
      double byKernels = peer.kernel / kernel;
      return Double.isNaN(byKernels) ? peer.wall / wall : byKernels;
    }

    private Row faster(Row other) {
      return other.kernel < kernel ? other : this;
    }
  }

  /**
   * Reads a text that may hold several tables. Of one subject's rows the first is used, warm before
   * cold; of several block sizes the fastest; of several engines the first.
   */
  static PrintedTable of(String text) {
    String machine = "";
    List<String> headings = List.of();
    Map<List<Object>, Row> rows = new LinkedHashMap<>();
    for (String line : text.lines().toList()) {
      List<String> cells = List.of(line.strip().split(" {2,}"));
      if (line.startsWith(ENGINE)) {
        String engine = line.substring(ENGINE.length());
        if (!machine.isEmpty() && !machine.equals(engine)) {
          break;
        }
        machine = engine;
      } else if (cells.contains("subject") && cells.getLast().equals("result")) {
        headings = cells;
      } else if (!headings.isEmpty() && cells.getLast().equals(Measurement.RIGHT)) {
        String label = cells.get(headings.indexOf("subject"));
        Row row = row(headings, cells);
        if (!row.subject.equals(Measurement.COPY)) {
          boolean isBlock = label.matches(".*/\\d+");
          rows.merge(
              List.of(row.subject, row.what),
              row,
              (first, next) -> isBlock ? first.faster(next) : first);
        }
      }
    }
    return new PrintedTable(machine, List.copyOf(rows.values()));
  }

  private static Row row(List<String> headings, List<String> cells) {
    Map<String, String> what = new LinkedHashMap<>();
    Map<String, Double> times = new LinkedHashMap<>();
    for (int c = headings.indexOf("subject") + 1; c < cells.size() - 1; c++) {
      Matcher time = TIME.matcher(headings.get(c));
      if (time.matches()) {
        String cell = cells.get(c);
        double unit = time.group(2).equals("ms") ? 1e3 : 1;
        times.put(
            time.group(1), cell.equals(Report.NONE) ? Double.NaN : unit * Double.parseDouble(cell));
      } else if (times.isEmpty()) {
        what.put(headings.get(c), cells.get(c));
      }
    }
    return new Row(
        COLD_OR_BLOCK.matcher(cells.get(headings.indexOf("subject"))).replaceFirst(""),
        what,
        times.getOrDefault("kernel", Double.NaN),
        times.getOrDefault("wall", Double.NaN));
  }

  /** The numeric column that differs between rows, which becomes the chart's axis; or empty. */
  String axis() {
    return List.of("length", "bins").stream()
        .filter(heading -> rows.stream().map(r -> r.what.get(heading)).distinct().count() > 1)
        .findFirst()
        .orElse("");
  }

  /** The case of a row, without the axis's column. */
  static String title(Row row, String axis) {
    return row.what.entrySet().stream()
        .filter(cell -> !cell.getKey().equals(axis) && !cell.getValue().equals(Report.NONE))
        .map(cell -> phrase(cell.getKey(), cell.getValue()))
        .collect(Collectors.joining(", "))
        .replace(", of ", " ");
  }

  private static String phrase(String heading, String cell) {
    return switch (heading) {
      case "length" -> power(Long.parseLong(cell));
      case "size" ->
          cell.matches("\\d+") ? String.format(Locale.ROOT, "%,d", Long.parseLong(cell)) : cell;
      case "bins", "steps", "MiB" -> cell + " " + heading;
      case "of", "from" -> heading + " " + cell;
      default -> cell;
    };
  }

  /** A number for readers: powers of two as powers. */
  static String power(long value) {
    return Long.bitCount(value) == 1 && value > 1000
        ? "2^" + Long.numberOfTrailingZeros(value)
        : String.format(Locale.ROOT, "%,d", value);
  }

  /** The subject that the others are compared with. */
  static Row peer(List<Row> rows) {
    for (String name :
        List.of(
            "cub", "link", "jdk-stream", "jdk-parallelPrefix", "jdk-parallelSort", "cuda-naive")) {
      for (Row row : rows) {
        if (row.subject.equals(name)) {
          return row;
        }
      }
    }
    return rows.getFirst();
  }

  /** The rows of each title, in order. */
  Map<String, List<Row>> byTitle(String axis) {
    return rows.stream()
        .collect(
            Collectors.groupingBy(
                row -> title(row, axis),
                LinkedHashMap::new,
                Collectors.toCollection(ArrayList::new)));
  }
}
