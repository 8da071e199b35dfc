package funnel.bench;

import funnel.bench.PrintedTable.Row;
import funnel.bench.SpeedChart.Line;
import funnel.file.WholeFile;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;

/** Pictures of printed tables, as PNG files. */
final class Plots {

  /** Pixels for each pixel of a chart, so that letters are sharp on every screen. */
  private static final int SHARPNESS = 2;

  private static final int CAPTION_LINE = 17;

  private Plots() {}

  /** Draws all charts of a table. */
  static void write(String text, Path file) throws IOException {
    PrintedTable table = PrintedTable.of(text);
    List<XYChart> charts = table.rows().isEmpty() ? List.of() : charts(table);
    if (charts.isEmpty()) {
      throw new IOException("no measurement to plot into " + file);
    }
    write(charts, List.of(table.machine(), clocks(table.rows())), file);
  }

  private static String clocks(List<Row> rows) {
    return rows.stream().allMatch(row -> Double.isNaN(row.kernel()))
        ? "Ratios of medians on the host's clock."
        : "Ratios of medians: of kernels by events, or on the host's clock where there are none.";
  }

  /** A chart of lines for each title, or one of bars if nothing has several lengths. */
  static List<XYChart> charts(PrintedTable table) {
    String axis = table.axis();
    Map<String, List<Row>> byTitle = table.byTitle(axis);
    List<XYChart> charts = new ArrayList<>();
    if (axis.isEmpty()) {
      return bars(byTitle);
    }
    byTitle.forEach(
        (title, rows) -> {
          Map<String, List<Row>> byPlace = new LinkedHashMap<>();
          rows.forEach(
              row ->
                  byPlace
                      .computeIfAbsent(row.what().get(axis), place -> new ArrayList<>())
                      .add(row));
          Row peer = PrintedTable.peer(rows);
          Map<String, SortedMap<Double, Double>> lines = new LinkedHashMap<>();
          byPlace.forEach(
              (place, there) ->
                  there.stream()
                      .filter(row -> row.subject().equals(peer.subject()))
                      .findFirst()
                      .ifPresent(
                          reference ->
                              there.forEach(
                                  row -> add(lines, row, Double.parseDouble(place), reference))));
          if (lines.size() > 1) {
            lines.remove(peer.subject());
          }
          if (!lines.isEmpty()) {
            charts.add(SpeedChart.lines(title, axis, name(peer.subject()), inOrder(lines)));
          }
        });
    return charts;
  }

  private static void add(
      Map<String, SortedMap<Double, Double>> lines, Row row, double place, Row reference) {
    double speed = row.speed(reference);
    if (Double.isFinite(speed)) {
      lines.computeIfAbsent(row.subject(), subject -> new TreeMap<>()).put(place, speed);
    }
  }

  private static List<Line> inOrder(Map<String, SortedMap<Double, Double>> lines) {
    return lines.entrySet().stream()
        .sorted(Comparator.comparing(line -> !isOurs(line.getKey())))
        .map(line -> new Line(name(line.getKey()), line.getValue(), isOurs(line.getKey())))
        .toList();
  }

  private static List<XYChart> bars(Map<String, List<Row>> byTitle) {
    List<Line> bars = new ArrayList<>();
    Row peer = PrintedTable.peer(List.copyOf(byTitle.values()).getFirst());
    boolean isOne = byTitle.size() == 1;
    Map<String, String> names = shortened(byTitle.keySet());
    byTitle.forEach(
        (title, rows) ->
            rows.stream()
                .filter(row -> row.subject().equals(peer.subject()))
                .findFirst()
                .ifPresent(
                    reference ->
                        rows.stream()
                            .filter(row -> row != reference || rows.size() == 1)
                            .sorted(Comparator.comparing(row -> !isOurs(row.subject())))
                            .forEach(
                                row ->
                                    addBar(
                                        bars,
                                        isOne ? "" : names.getOrDefault(title, title),
                                        row,
                                        reference))));
    String title = isOne ? byTitle.keySet().iterator().next() : "";
    return bars.isEmpty() ? List.of() : List.of(SpeedChart.bars(title, name(peer.subject()), bars));
  }

  /** Titles without their common end, and without parts that distinguish none of them. */
  private static Map<String, String> shortened(Set<String> titles) {
    Map<String, String> names = new LinkedHashMap<>();
    for (int parts = 1; names.values().stream().distinct().count() < titles.size(); parts++) {
      String kept = "((?:[^,]+(?:, |$)){" + parts + "}).*";
      titles.forEach(
          title -> names.put(title, title.replaceFirst(kept, "$1").replaceFirst(", $", "")));
    }
    return names;
  }

  private static void addBar(List<Line> bars, String title, Row row, Row reference) {
    double speed = row.speed(reference);
    if (Double.isFinite(speed)) {
      String label = title.isEmpty() ? name(row.subject()) : title + ": " + name(row.subject());
      bars.add(new Line(label, new TreeMap<>(Map.of(0.0, speed)), isOurs(row.subject())));
    }
  }

  private static boolean isOurs(String subject) {
    return subject.startsWith("funnel");
  }

  /** A subject's name for readers. */
  static String name(String subject) {
    return switch (subject) {
      case "cub" -> "CUB";
      case "cuda-naive" -> "plain CUDA C++";
      case "jdk-stream" -> "parallel stream";
      case "jvm-loop" -> "plain loop";
      case "link" -> "copies by the driver";
      case "plain" -> "reading alone";
      case "duckdb" -> "DuckDB";
      case "tornado-reduce" -> "TornadoVM's @Reduce";
      case "funnel" -> "Funnel";
      default -> subject.replaceFirst("^funnel(/|, | )", "Funnel, ").replace("jdk-", "");
    };
  }

  /** Writes charts below one another, with their common title below. */
  static void write(List<XYChart> charts, List<String> caption, Path file) throws IOException {
    System.setProperty("java.awt.headless", "true");
    ImageIO.setUseCache(false); // a file in another folder
    int height = charts.stream().mapToInt(XYChart::getHeight).sum();
    int all = height + CAPTION_LINE * caption.size() + CAPTION_LINE / 2;
    BufferedImage image =
        new BufferedImage(
            SHARPNESS * SpeedChart.WIDTH, SHARPNESS * all, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.scale(SHARPNESS, SHARPNESS);
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, SpeedChart.WIDTH, all);
    for (XYChart chart : charts) {
      chart.paint(graphics, chart.getWidth(), chart.getHeight());
      graphics.translate(0, chart.getHeight());
    }
    graphics.setColor(SpeedChart.DARK);
    graphics.setFont(SpeedChart.FONT.deriveFont(12f));
    for (int line = 0; line < caption.size(); line++) {
      graphics.drawString(caption.get(line), 12, CAPTION_LINE * (line + 1) - 6);
    }
    graphics.dispose();
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.write(image, "png", png);
    WholeFile.write(file, png.toByteArray());
  }
}
