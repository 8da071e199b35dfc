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

  /** Pixels of a sharp picture; one of more charts is as wide as they are. */
  private static final double WIDEST = 2880;

  /** The width of a screen, if its height is 1. */
  private static final double SCREEN = 16.0 / 9;

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

  /** A chart of lines over lengths, to be drawn. */
  private record Panel(String title, String peer, List<Line> lines) {}

  /**
   * A chart of lines for each title, or one of bars if nothing has several lengths. What has no
   * peer is left out, if anything has one.
   */
  static List<XYChart> charts(PrintedTable table) {
    String axis = table.axis();
    Map<String, List<Row>> byTitle = table.byTitle(axis);
    List<Panel> panels = new ArrayList<>();
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
            panels.add(new Panel(title, peer.subject(), inOrder(lines)));
          }
        });
    boolean hasPeers = panels.stream().anyMatch(panel -> !isOurs(panel.peer));
    List<Panel> shown = panels.stream().filter(panel -> !hasPeers || !isOurs(panel.peer)).toList();
    SpeedChart.Panels all =
        SpeedChart.Panels.of(shown.stream().flatMap(panel -> panel.lines.stream()).toList());
    return shown.stream()
        .map(panel -> SpeedChart.lines(panel.title, axis, name(panel.peer), panel.lines, all))
        .toList();
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

  /** Writes charts as a grid that fits a screen, with their common title below. */
  static void write(List<XYChart> charts, List<String> caption, Path file) throws IOException {
    System.setProperty("java.awt.headless", "true");
    ImageIO.setUseCache(false); // a file in another folder
    int columns = columns(charts);
    int rows = Math.ceilDiv(charts.size(), columns);
    int[] tops = new int[rows + 1];
    for (int row = 0; row < rows; row++) {
      int end = Math.min(charts.size(), (row + 1) * columns);
      tops[row + 1] =
          tops[row]
              + charts.subList(row * columns, end).stream()
                  .mapToInt(XYChart::getHeight)
                  .max()
                  .orElse(0);
    }
    int width = columns * SpeedChart.WIDTH;
    int height = tops[rows] + CAPTION_LINE * caption.size() + CAPTION_LINE / 2;
    double scale = Math.min(SHARPNESS, Math.max(1, WIDEST / width));
    BufferedImage image =
        new BufferedImage(
            (int) (scale * width), (int) (scale * height), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.scale(scale, scale);
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, width, height);
    for (int c = 0; c < charts.size(); c++) {
      XYChart chart = charts.get(c);
      Graphics2D place =
          (Graphics2D)
              graphics.create(
                  c % columns * SpeedChart.WIDTH,
                  tops[c / columns],
                  chart.getWidth(),
                  chart.getHeight());
      chart.paint(place, chart.getWidth(), chart.getHeight());
      place.dispose();
    }
    graphics.setColor(SpeedChart.DARK);
    graphics.setFont(SpeedChart.FONT.deriveFont(12f));
    for (int line = 0; line < caption.size(); line++) {
      graphics.drawString(caption.get(line), 12, tops[rows] + CAPTION_LINE * (line + 1) - 6);
    }
    graphics.dispose();
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.write(image, "png", png);
    WholeFile.write(file, png.toByteArray());
  }

  /** As many as make the grid's shape that of a screen. */
  private static int columns(List<XYChart> charts) {
    int height = charts.stream().mapToInt(XYChart::getHeight).sum();
    return Math.clamp(Math.round(Math.sqrt(SCREEN * height / SpeedChart.WIDTH)), 1, charts.size());
  }
}
