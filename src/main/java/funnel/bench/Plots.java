package funnel.bench;

import funnel.io.WholeFile;
import funnel.operator.ElementType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Pictures of a report, as PNG files. */
final class Plots {

  private static final int WIDTH = 900;
  private static final int HEIGHT = 520;
  private static final String SPEED = "GB/s";

  private Plots() {}

  /** Throughput against length, one chart for each type and operator. */
  static void writeThroughput(PrimitiveReport report, Path file) throws IOException {
    List<XYChart> charts = new ArrayList<>();
    byTypeAndOp(report)
        .forEach(
            (title, measurements) -> {
              XYChart chart =
                  new XYChartBuilder()
                      .width(WIDTH)
                      .height(HEIGHT)
                      .title(title)
                      .xAxisTitle("length")
                      .yAxisTitle(SPEED)
                      .build();
              chart.getStyler().setXAxisLogarithmic(true);
              chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
              Map<String, TreeMap<Integer, Double>> curves = new TreeMap<>();
              for (Measurement m : measurements) {
                curves
                    .computeIfAbsent(m.label(), label -> new TreeMap<>())
                    .put(m.length(), m.gigabytesPerSecond());
              }
              curves.forEach(
                  (label, curve) ->
                      chart.addSeries(
                          label, List.copyOf(curve.keySet()), List.copyOf(curve.values())));
              double ceiling = report.copyCeiling();
              if (!Double.isNaN(ceiling)) {
                double first = measurements.stream().mapToInt(Measurement::length).min().orElse(1);
                double last = measurements.stream().mapToInt(Measurement::length).max().orElse(1);
                chart
                    .addSeries(
                        "device copy", new double[] {first, last}, new double[] {ceiling, ceiling})
                    .setMarker(SeriesMarkers.NONE);
              }
              charts.add(chart);
            });
    write(charts, file);
  }

  /**
   * Time against length, once on linear and once on logarithmic axes, for each type and operator.
   */
  static void writeTimes(PrimitiveReport report, Path file) throws IOException {
    List<XYChart> charts = new ArrayList<>();
    byTypeAndOp(report)
        .forEach(
            (title, measurements) -> {
              charts.add(times(title + ", linear", measurements, false));
              charts.add(times(title + ", logarithmic", measurements, true));
            });
    write(charts, file);
  }

  private static XYChart times(String title, List<Measurement> measurements, boolean logarithmic) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("length")
            .yAxisTitle("microseconds")
            .build();
    chart.getStyler().setXAxisLogarithmic(logarithmic);
    chart.getStyler().setYAxisLogarithmic(logarithmic);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    Map<String, TreeMap<Integer, Double>> curves = new TreeMap<>();
    for (Measurement m : measurements) {
      curves
          .computeIfAbsent(m.label(), label -> new TreeMap<>())
          .put(m.length(), m.bytes() / m.gigabytesPerSecond() / 1e3);
    }
    curves.forEach(
        (label, curve) ->
            chart.addSeries(label, List.copyOf(curve.keySet()), List.copyOf(curve.values())));
    return chart;
  }

  /** Throughput of each variant at the largest length, a bar for each block size. */
  static void writeVariants(PrimitiveReport report, Path file) throws IOException {
    List<CategoryChart> charts = new ArrayList<>();
    byTypeAndOp(report)
        .forEach(
            (title, measurements) -> {
              int length = measurements.stream().mapToInt(Measurement::length).max().orElse(0);
              CategoryChart chart =
                  new CategoryChartBuilder()
                      .width(WIDTH)
                      .height(HEIGHT)
                      .title("%s, %d elements".formatted(title, length))
                      .yAxisTitle(SPEED)
                      .build();
              chart.getStyler().setXAxisLabelRotation(30);
              chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
              List<Measurement> longest =
                  measurements.stream().filter(m -> m.length() == length).toList();
              List<String> names = longest.stream().map(Measurement::subject).distinct().toList();
              List<Integer> blocks =
                  longest.stream().map(Measurement::block).distinct().sorted().toList();
              for (int block : blocks) {
                List<Double> speeds =
                    names.stream()
                        .map(
                            name ->
                                longest.stream()
                                    .filter(m -> m.subject().equals(name) && m.block() == block)
                                    .findFirst()
                                    .map(Measurement::gigabytesPerSecond)
                                    .orElse(0.0))
                        .toList();
                chart.addSeries(block == 0 ? "others" : "block " + block, names, speeds);
              }
              charts.add(chart);
            });
    write(charts, file);
  }

  /** Time of each method of the heat equation, one chart for each type and grid. */
  static void writeHeat(HeatReport report, Path file) throws IOException {
    List<CategoryChart> charts = new ArrayList<>();
    Map<String, List<HeatMeasurement>> fields =
        report.measurements().stream()
            .filter(m -> m.isMeasured() && !m.isCopy())
            .collect(
                Collectors.groupingBy(
                    m -> "%s %s, %d steps".formatted(m.typeName(), m.size(), m.steps()),
                    TreeMap::new,
                    Collectors.toList()));
    fields.forEach(
        (title, measurements) -> {
          CategoryChart chart =
              new CategoryChartBuilder()
                  .width(WIDTH)
                  .height(HEIGHT)
                  .title(title)
                  .yAxisTitle("milliseconds")
                  .build();
          chart.getStyler().setXAxisLabelRotation(30);
          chart.getStyler().setLegendVisible(false);
          chart.addSeries(
              "time",
              measurements.stream().map(HeatMeasurement::subject).toList(),
              measurements.stream().map(m -> m.nanos() / 1e6).toList());
          charts.add(chart);
        });
    write(charts, file);
  }

  /**
   * Histograms: throughput against length, and where there are several numbers of bins, time
   * against these; one chart for each type, distribution and, of the latter, length.
   */
  static void writeHistograms(HistogramReport report, Path file) throws IOException {
    List<XYChart> charts = new ArrayList<>();
    Map<String, List<HistogramMeasurement>> byBins = new TreeMap<>();
    Map<String, List<HistogramMeasurement>> byLength = new TreeMap<>();
    for (HistogramMeasurement m : report.measurements()) {
      if (m.isMeasured() && !m.isCopy()) {
        boolean isOfBytes = m.type() == ElementType.BYTE;
        String title =
            isOfBytes
                ? "%s, %s, %d bins".formatted(m.typeName(), m.data(), m.bins())
                : "%s, %s, %d samples".formatted(m.typeName(), m.data(), m.length());
        (isOfBytes ? byLength : byBins).computeIfAbsent(title, t -> new ArrayList<>()).add(m);
      }
    }
    byLength.forEach(
        (title, measurements) ->
            charts.add(
                curves(
                    title,
                    "length",
                    SPEED,
                    measurements,
                    HistogramMeasurement::length,
                    HistogramMeasurement::gigabytesPerSecond)));
    byBins.forEach(
        (title, measurements) ->
            charts.add(
                curves(
                    title,
                    "bins",
                    "microseconds",
                    measurements,
                    HistogramMeasurement::bins,
                    m -> m.nanos() / 1e3)));
    write(charts, file);
  }

  /** A curve for each subject; the axis of speeds is linear, that of times logarithmic. */
  private static XYChart curves(
      String title,
      String xTitle,
      String yTitle,
      List<HistogramMeasurement> measurements,
      ToIntFunction<HistogramMeasurement> x,
      ToDoubleFunction<HistogramMeasurement> y) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setYAxisLogarithmic(!yTitle.equals(SPEED));
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    Map<String, TreeMap<Integer, Double>> curves = new TreeMap<>();
    for (HistogramMeasurement m : measurements) {
      curves
          .computeIfAbsent(m.label(), label -> new TreeMap<>())
          .put(x.applyAsInt(m), y.applyAsDouble(m));
    }
    curves.forEach(
        (label, curve) ->
            chart.addSeries(label, List.copyOf(curve.keySet()), List.copyOf(curve.values())));
    return chart;
  }

  private static TreeMap<String, List<Measurement>> byTypeAndOp(PrimitiveReport report) {
    return report.measurements().stream()
        .filter(m -> m.isMeasured() && m.work() != Work.COPY)
        .collect(
            Collectors.groupingBy(
                m -> m.typeName() + " " + m.op(), TreeMap::new, Collectors.toList()));
  }

  /** Every place of the grid must have a chart. */
  private static <T extends Chart<?, ?>> void write(List<T> charts, Path file) throws IOException {
    if (charts.isEmpty()) {
      throw new IOException("nothing was measured that could be plotted into " + file);
    }
    System.setProperty("java.awt.headless", "true");
    ImageIO.setUseCache(false); // which is a file in another folder
    int columns = charts.size() % 2 == 0 ? 2 : charts.size() % 3 == 0 ? 3 : 1;
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    BitmapEncoder.saveBitmap(charts, charts.size() / columns, columns, png, BitmapFormat.PNG);
    WholeFile.write(file, png.toByteArray());
  }
}
