package funnel.bench;

import funnel.bench.PrintedTable.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.knowm.xchart.XYChart;

/**
 * Draws the pictures of the documents from the tables that are kept beside them. Run in the
 * repository's root as {@code ./funnel java funnel.bench.Pictures}; with names of tables it draws
 * these, each into a PNG of its name.
 */
public final class Pictures {

  private static final Path BENCHMARKS = Path.of("docs/benchmarks");

  private static final List<String> SHOWN =
      List.of(
          "2026-11-21-h200/reduce-int-cuda.txt",
          "2026-11-21-h200/ladder-cuda.txt",
          "2026-11-21-h200/scan-variants-cuda.txt",
          "2026-11-22-h200/heat-cuda.txt",
          "2026-11-22-h200/histogram-methods-cuda.txt",
          "2026-11-24-jvm/jobs.txt");

  /** CUB's rows: from memory where it would find data in the cache, then the others. */
  private static final List<String> PEERS = List.of("cub (cold)", "cub");

  /**
   * A line of README's picture.
   *
   * @param label what it is of
   * @param table a file
   * @param title which of its rows
   */
  private record Curve(String label, String table, String title) {

    SpeedChart.Line line() throws IOException {
      TreeMap<Double, Double> speeds = new TreeMap<>();
      PrintedTable printed = PrintedTable.of(dated(BENCHMARKS.resolve(table)));
      List<Row> rows = printed.byTitle("length").getOrDefault(title, List.of());
      for (String name : PEERS) {
        for (Row row : rows) {
          for (Row peer : rows) {
            boolean isThere = row.what().equals(peer.what()) && peer.subject().equals(name);
            double length = Double.parseDouble(row.what().getOrDefault("length", "0"));
            if (isThere && row.subject().equals("funnel")) {
              speeds.put(length, row.speed(peer));
            }
          }
        }
      }
      return new SpeedChart.Line(label, speeds, true);
    }
  }

  private static final List<Curve> CURVES =
      List.of(
          new Curve("largest of ints", "2026-11-28-h200/reduce.txt", "int, max"),
          new Curve("inclusive scan of ints", "2026-11-28-h200/scan.txt", "int, sum"),
          new Curve(
              "histogram of bytes", "2026-11-28-h200/histogram.txt", "byte, uniform, 256 bins"),
          new Curve(
              "selection of half of the ints", "2026-11-28-h200/select.txt", "int, select-50"),
          new Curve("sort of uniform ints", "2026-11-28-h200/sort-ints.txt", "int, uniform, sort"));

  private Pictures() {}

  /** Draws all that documents show, or the tables that are named. */
  public static void main(String[] tables) throws IOException {
    for (String table : tables) {
      draw(Path.of(table));
    }
    if (tables.length == 0) {
      for (String table : SHOWN) {
        draw(BENCHMARKS.resolve(table));
      }
      drawOverview();
    }
  }

  private static void draw(Path table) throws IOException {
    Path picture = Path.of(table.toString().replaceFirst("\\.txt$", "") + ".png");
    Plots.write(dated(table), picture);
    System.out.println(picture);
  }

  /** What a table says, with the date of its folder where it names none. */
  private static String dated(Path table) throws IOException {
    String date = table.toString().replaceFirst(".*/(\\d{4}-\\d\\d-\\d\\d)-.*", "$1");
    return Files.readString(table).replaceAll("(?m)^(engine: .*)(?<!-\\d\\d)$", "$1, " + date);
  }

  private static void drawOverview() throws IOException {
    List<SpeedChart.Line> lines = new ArrayList<>();
    for (Curve curve : CURVES) {
      lines.add(curve.line());
    }
    List<XYChart> charts = new ArrayList<>();
    charts.add(
        SpeedChart.lines(
            "Funnel beside CUB, data on the device",
            "elements",
            "CUB",
            lines,
            SpeedChart.Panels.of(lines)));
    String jobs =
        dated(BENCHMARKS.resolve("2026-11-24-h200/jobs.txt"))
            .replace("funnel, resident  ", "funnel, on the device  ")
            .replace("funnel   ", "funnel, from the host  ")
            .replace("  events  ", "  totals of 20 million rows by key  ")
            .replace("  latencies  ", "  quantiles of 50 million values  ")
            .replace("  rows  ", "  filter and sort of 20 million rows  ")
            .replace("  monte-carlo  ", "  Monte Carlo with 20 million samples  ");
    charts.addAll(Plots.charts(PrintedTable.of(jobs)));
    charts.getLast().setTitle("Whole jobs beside Java's parallel streams on 16 cores");
    Plots.write(
        charts,
        List.of(
            "One NVIDIA H200, TornadoVM 5.2.0, CUDA backend, CUB 3.0.1; 2026-11-28, jobs"
                + " 2026-11-24.",
            "Ratios of medians: above of kernels, below on the host's clock. Sorts, and fewer"
                + " than 2^22 elements: recorded runs."),
        Path.of("docs/speed.png"));
  }
}
