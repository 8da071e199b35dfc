package funnel.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Rows of cells as lines of text. */
final class PrintedRows {

  private PrintedRows() {}

  /** A line of a CSV file. */
  static String csv(List<String> cells) {
    return cells.stream().map(PrintedRows::quoted).collect(Collectors.joining(","));
  }

  private static String quoted(String cell) {
    return cell.matches("(?s).*[,\"\\r\\n].*") ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
  }

  /** Lines for people: columns below their names, numbers at the right. */
  static List<String> lines(List<String> names, List<List<String>> rows) {
    List<List<String>> all = new ArrayList<>(List.of(names));
    all.addAll(rows);
    int[] widths = new int[names.size()];
    boolean[] areNumbers = new boolean[names.size()];
    for (int c = 0; c < widths.length; c++) {
      int column = c;
      widths[c] = all.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
      areNumbers[c] =
          rows.stream().allMatch(row -> FileFormat.NUMBER.matcher(row.get(column)).matches());
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : all) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < widths.length; c++) {
        String format = "%" + (areNumbers[c] ? "" : "-") + Math.max(1, widths[c]) + "s";
        line.append(c == 0 ? "" : "  ").append(format.formatted(row.get(c)));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
