package funnel.cli;

import funnel.file.WholeFile;
import java.awt.Color;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A picture of a histogram. */
final class HistogramPlot {

  private static final int WIDTH = 900;
  private static final int HEIGHT = 520;
  private static final int MOST_STEPS = 1024;
  private static final int DIGITS = 6;
  private static final String COUNT = "count";
  private static final String VALUE = "value";

  /** A line on the axis of values. Ticks would be at the edges of bins if all were even. */
  private static final String UNEVEN = "axis";

  private HistogramPlot() {}

  /** A bar for each name. */
  static void writeNamed(String title, List<String> names, long[] counts, Path file)
      throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .yAxisTitle(COUNT)
            .build();
    plain(chart.getStyler());
    chart.addSeries(COUNT, names, Arrays.stream(counts).boxed().toList());
    write(chart, file);
  }

  /** A step for each bin, of the bin's width; neighbours are merged if there are too many. */
  static void writeSteps(String title, HistogramBins bins, long[] counts, Path file)
      throws IOException {
    int merged = Math.ceilDiv(counts.length, MOST_STEPS);
    long[] sums = HistogramBars.merge(counts, merged);
    double[] edges = new double[sums.length + 1];
    for (int i = 0; i < edges.length; i++) {
      edges[i] = bins.edge((int) Math.min(counts.length, (long) i * merged)).doubleValue();
    }
    limit(edges);
    double[] heights = Arrays.copyOf(Arrays.stream(sums).asDoubleStream().toArray(), edges.length);
    heights[sums.length] = sums[sums.length - 1];
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .yAxisTitle(
                merged == 1 ? COUNT : String.format(Locale.ROOT, "count of %,d bins", merged))
            .build();
    plain(chart.getStyler());
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.StepArea);
    chart.setXAxisTitle(VALUE);
    chart.setCustomXAxisTickLabelsFormatter(HistogramPlot::tick);
    chart.addSeries(COUNT, edges, heights).setMarker(SeriesMarkers.NONE);
    double width = edges[sums.length] - edges[0];
    double[] uneven = {edges[0], edges[0] + width / Math.E, edges[sums.length]};
    XYSeries axis = chart.addSeries(UNEVEN, uneven, new double[uneven.length]);
    axis.setXYSeriesRenderStyle(XYSeriesRenderStyle.Line).setMarker(SeriesMarkers.NONE);
    axis.setLineStyle(SeriesLines.NONE);
    write(chart, file);
  }

  private static void plain(Styler styler) {
    styler.setLegendVisible(false).setChartBackgroundColor(Color.WHITE);
  }

  /** A round number, whose last bits are those of a multiple of the distance of ticks. */
  static String tick(double x) {
    return Numbers.text(new BigDecimal(x).round(new MathContext(DIGITS)).doubleValue());
  }

  /** Infinite edges cannot be drawn; they are placed a little outside the finite ones. */
  private static void limit(double[] edges) {
    double low = Arrays.stream(edges).filter(Double::isFinite).min().orElse(0);
    double high = Arrays.stream(edges).filter(Double::isFinite).max().orElse(1);
    double margin = high > low ? (high - low) / 10 : 1;
    for (int i = 0; i < edges.length; i++) {
      edges[i] = Math.clamp(edges[i], low - margin, high + margin);
    }
  }

  private static void write(Chart<?, ?> chart, Path file) throws IOException {
    System.setProperty("java.awt.headless", "true");
    ImageIO.setUseCache(false); // its cache is a file in another folder
    WholeFile.write(file, BitmapEncoder.getBitmapBytes(chart, BitmapFormat.PNG));
  }
}
