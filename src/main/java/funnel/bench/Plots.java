package funnel.bench;

import funnel.file.WholeFile;
import funnel.operator.ElementType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
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
  private static final String TIME = "microseconds";
  private static final ToIntFunction<Measurement<PrimitiveCase>> LENGTH = m -> m.what().length();

  private Plots() {}

  /** Throughput against length, one chart for each type and operator. */
  static void writeThroughput(Report<PrimitiveCase> report, Path file) throws IOException {
    List<XYChart> charts = new ArrayList<>();
    double ceiling = report.copyCeiling();
    byTypeAndOp(report)
        .forEach(
            (title, measurements) -> {
              XYChart chart = curves(title, "length", SPEED, true, false, measurements, LENGTH);
              if (!Double.isNaN(ceiling)) {
                IntSummaryStatistics lengths =
                    measurements.stream().mapToInt(LENGTH).summaryStatistics();
                chart
                    .addSeries(
                        "device copy",
                        new double[] {lengths.getMin(), lengths.getMax()},
                        new double[] {ceiling, ceiling})
                    .setMarker(SeriesMarkers.NONE);
              }
              charts.add(chart);
            });
    write(charts, file);
  }

  /**
   * Time against length, once on linear and once on logarithmic axes, for each type and operator.
   */
  static void writeTimes(Report<PrimitiveCase> report, Path file) throws IOException {
    List<XYChart> charts = new ArrayList<>();
    byTypeAndOp(report)
        .forEach(
            (title, m) -> {
              charts.add(curves(title + ", linear", "length", TIME, false, false, m, LENGTH));
              charts.add(curves(title + ", logarithmic", "length", TIME, true, true, m, LENGTH));
            });
    write(charts, file);
  }

  /** Throughput of each variant at the largest length, a bar for each block size. */
  static void writeVariants(Report<PrimitiveCase> report, Path file) throws IOException {
    List<CategoryChart> charts = new ArrayList<>();
    byTypeAndOp(report)
        .forEach(
            (title, measurements) -> {
              int length = measurements.stream().mapToInt(LENGTH).max().orElse(0);
              CategoryChart chart = bars("%s, %d elements".formatted(title, length), SPEED);
              chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
              Map<Integer, Map<String, Double>> speeds = new TreeMap<>();
              Set<String> names = new LinkedHashSet<>();
              for (Measurement<PrimitiveCase> m : measurements) {
                if (m.what().length() == length) {
                  names.add(m.subject());
                  speeds
                      .computeIfAbsent(m.what().block(), block -> new HashMap<>())
                      .putIfAbsent(m.subject(), m.gigabytesPerSecond());
                }
              }
              speeds.forEach(
                  (block, of) ->
                      chart.addSeries(
                          block == 0 ? "others" : "block " + block,
                          List.copyOf(names),
                          names.stream().map(name -> of.getOrDefault(name, 0.0)).toList()));
              charts.add(chart);
            });
    write(charts, file);
  }

  /** Time of each method of the heat equation, one chart for each type and grid. */
  static void writeHeat(Report<HeatCase> report, Path file) throws IOException {
    writeBars(
        report,
        m -> "%s %s, %d steps".formatted(m.typeName(), m.what().size(), m.what().steps()),
        file);
  }

  /** Time of each way to do a job, one chart for each job and size. */
  static void writeJobs(Report<JobCase> report, Path file) throws IOException {
    writeBars(
        report,
        m -> "%s, %d %s".formatted(m.what().task(), m.what().size(), m.what().task().unit()),
        file);
  }

  /** Times of all that was measured of a task. */
  static void writeStreams(Report<StreamsCase> report, Path file) throws IOException {
    writeBars(
        report,
        m -> "%s, %d bytes from %s".formatted(m.what().task(), m.what().size(), m.what().from()),
        file);
  }

  private static <C extends Case> void writeBars(
      Report<C> report, Function<Measurement<C>, String> title, Path file) throws IOException {
    List<CategoryChart> charts = new ArrayList<>();
    byTitle(report, title)
        .forEach(
            (name, measurements) -> {
              CategoryChart chart = bars(name, "milliseconds");
              chart.getStyler().setLegendVisible(false);
              chart.addSeries(
                  "time",
                  measurements.stream().map(Measurement::subject).toList(),
                  measurements.stream().map(m -> m.nanos() / 1e6).toList());
              charts.add(chart);
            });
    write(charts, file);
  }

  /** Throughput against length, one chart for each type and operation. */
  static void writeSelections(Report<SelectCase> report, Path file) throws IOException {
    List<XYChart> charts = new ArrayList<>();
    byTitle(report, m -> m.typeName() + " " + m.what().op())
        .forEach(
            (title, m) ->
                charts.add(curves(title, "length", SPEED, true, false, m, s -> s.what().length())));
    write(charts, file);
  }

  /** Throughput against length, one chart for each type, distribution and operation. */
  static void writeSorts(Report<SortCase> report, Path file) throws IOException {
    List<XYChart> charts = new ArrayList<>();
    byTitle(report, m -> "%s, %s, %s".formatted(m.typeName(), m.what().data(), m.what().task()))
        .forEach(
            (title, m) ->
                charts.add(curves(title, "length", SPEED, true, false, m, s -> s.what().length())));
    write(charts, file);
  }

  /**
   * Histograms: throughput against length, and where there are several numbers of bins, time
   * against these; one chart for each type, distribution and, of the latter, length.
   */
  static void writeHistograms(Report<HistogramCase> report, Path file) throws IOException {
    List<XYChart> charts = new ArrayList<>();
    byTitle(report, Plots::title)
        .forEach(
            (title, m) ->
                charts.add(
                    m.getFirst().what().type() == ElementType.BYTE
                        ? curves(title, "length", SPEED, true, false, m, h -> h.what().length())
                        : curves(title, "bins", TIME, true, true, m, h -> h.what().bins())));
    write(charts, file);
  }

  private static String title(Measurement<HistogramCase> m) {
    HistogramCase what = m.what();
    return what.type() == ElementType.BYTE
        ? "%s, %s, %d bins".formatted(m.typeName(), Named.of(what.data()), what.bins())
        : "%s, %s, %d samples".formatted(m.typeName(), Named.of(what.data()), what.length());
  }

  /** A curve for each subject, of speeds or of times. */
  private static <C extends Case> XYChart curves(
      String title,
      String xTitle,
      String yTitle,
      boolean isLogarithmicX,
      boolean isLogarithmicY,
      List<Measurement<C>> measurements,
      ToIntFunction<Measurement<C>> x) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    chart.getStyler().setXAxisLogarithmic(isLogarithmicX);
    chart.getStyler().setYAxisLogarithmic(isLogarithmicY);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    Map<String, TreeMap<Integer, Double>> curves = new TreeMap<>();
    for (Measurement<C> m : measurements) {
      curves
          .computeIfAbsent(m.label(), label -> new TreeMap<>())
          .put(x.applyAsInt(m), yTitle.equals(SPEED) ? m.gigabytesPerSecond() : m.nanos() / 1e3);
    }
    curves.forEach(
        (label, curve) ->
            chart.addSeries(label, List.copyOf(curve.keySet()), List.copyOf(curve.values())));
    return chart;
  }

  private static CategoryChart bars(String title, String yTitle) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .yAxisTitle(yTitle)
            .build();
    chart.getStyler().setXAxisLabelRotation(30);
    return chart;
  }

  private static Map<String, List<Measurement<PrimitiveCase>>> byTypeAndOp(
      Report<PrimitiveCase> report) {
    return byTitle(report, m -> m.typeName() + " " + m.what().op());
  }

  /** What was measured, for each chart. */
  private static <C extends Case> Map<String, List<Measurement<C>>> byTitle(
      Report<C> report, Function<Measurement<C>, String> title) {
    return report.measurements().stream()
        .filter(m -> m.isMeasured() && !m.isCopy())
        .collect(Collectors.groupingBy(title, TreeMap::new, Collectors.toList()));
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
