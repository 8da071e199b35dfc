package funnel.bench;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.function.DoubleBinaryOperator;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Charts of speeds relative to a peer's, as lines over lengths or as bars, labelled at their ends.
 * The axis of speeds begins at 0 if all are of similar magnitude, else it is logarithmic.
 */
final class SpeedChart {

  static final int WIDTH = 720;
  static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
  static final Color DARK = new Color(0x404040);

  /** The colours of Okabe and Ito, which colour-blind readers can distinguish; Funnel's first. */
  private static final List<Color> COLOURS =
      List.of(
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x56B4E9));

  private static final Color GREY = new Color(0x9A9A9A);
  private static final Color GRID = new Color(0xE4E4E4);

  /** For lines beyond the number of colours. */
  private static final BasicStroke DASHED =
      new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {6, 4}, 0);

  private static final int HEIGHT = 380;
  private static final int ROW = 24;
  private static final int PLOT_WIDTH = WIDTH - 110;
  private static final double LINEAR_LINES = 2.5;
  private static final double LINEAR_BARS = 12;

  /**
   * A line, or a bar.
   *
   * @param label the label at its end
   * @param speeds speed by length; a bar has one
   * @param isOurs whether it is Funnel's, which is emphasised
   */
  record Line(String label, SortedMap<Double, Double> speeds, boolean isOurs) {

    double last() {
      return speeds.lastEntry().getValue();
    }
  }

  /**
   * What the charts of a picture have in common: the scale of all lines, and a colour for each
   * label.
   */
  record Panels(List<Line> lines, List<String> labels) {

    static Panels of(List<Line> lines) {
      List<String> labels =
          lines.stream()
              .sorted(Comparator.comparing(line -> !line.isOurs))
              .map(Line::label)
              .distinct()
              .toList();
      return new Panels(lines, labels);
    }
  }

  /** The axis of speeds: linear, or a logarithm. */
  private record Scale(double base) {

    static Scale of(List<Line> lines, double largestLinear) {
      double largest = extreme(lines, Math::max);
      double range = largest / extreme(lines, Math::min);
      return new Scale(largest <= largestLinear ? 0 : range <= 1024 ? 2 : 10);
    }

    double at(double speed) {
      return base == 0 ? speed : Math.log(speed) / Math.log(base);
    }

    String tick(double at) {
      return number(base == 0 ? at : Math.pow(base, at));
    }
  }

  private SpeedChart() {}

  static String number(double value) {
    if (Math.abs(value) < 1e-9) {
      return "0";
    }
    return value >= 10
        ? String.format(Locale.ROOT, "%,.0f", value)
        : new BigDecimal(value, new MathContext(2)).stripTrailingZeros().toPlainString();
  }

  /** Lines over numbers of elements or bins, on a logarithmic axis of powers of two. */
  static XYChart lines(String title, String axis, String peer, List<Line> lines, Panels panels) {
    Scale scale = Scale.of(panels.lines, LINEAR_LINES);
    XYChart chart = chart(title, HEIGHT);
    XYStyler styler = chart.getStyler();
    styler.setPlotGridVerticalLinesVisible(false);
    double[] lengths =
        lines.stream()
            .flatMap(line -> line.speeds().keySet().stream())
            .mapToDouble(SpeedChart::log2)
            .sorted()
            .toArray();
    double first = lengths[0];
    double last = Math.max(first + 1, lengths[lengths.length - 1]);
    EndLabels labels = new EndLabels(ROW * 3 / 4);
    chart.addAnnotation(labels);
    XYSeries one = chart.addSeries(peer, new double[] {first, last}, scaledOnes(scale));
    style(one, GREY, 1.5f);
    labels.add(peer, last, scale.at(1), GREY.darker());
    double range = range(peer, 0, last - first);
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      double[] x = line.speeds().keySet().stream().mapToDouble(SpeedChart::log2).toArray();
      double[] y = line.speeds().values().stream().mapToDouble(scale::at).toArray();
      int number = panels.labels.indexOf(line.label());
      Color colour = COLOURS.get(number % COLOURS.size());
      XYSeries series = chart.addSeries(i + line.label(), x, y);
      style(series, colour, line.isOurs ? 3 : 1.5f).setMarker(SeriesMarkers.CIRCLE);
      if (number >= COLOURS.size()) {
        series.setLineStyle(DASHED);
      }
      labels.add(line.label(), last, y[y.length - 1], colour.darker());
      range = Math.max(range, range(line.label(), last - first, last - first));
    }
    double margin = range / 40;
    styler.setXAxisMin(first - margin).setXAxisMax(first + range);
    chart.setXAxisTitle(axis);
    chart.setYAxisTitle(scaleTitle(peer));
    styler.setXAxisTickMarkSpacingHint(60);
    styler.setYAxisTickMarkSpacingHint(scale.base == 10 ? 70 : 40);
    chart.setCustomXAxisTickLabelsFormatter(
        at -> at > last + 1e-9 ? blank(1 + at - last) : tick(at));
    chart.setCustomYAxisTickLabelsFormatter(scale::tick);
    double top = Math.max(scale.at(1), scale.at(extreme(panels.lines, Math::max)));
    double bottom = scale.base == 0 ? 0 : Math.min(0, scale.at(extreme(panels.lines, Math::min)));
    double above = (top - bottom) / 25;
    styler.setYAxisMin(scale.base == 0 ? -above / 4 : bottom - above).setYAxisMax(top + above);
    return chart;
  }

  /** Horizontal bars; only Funnel's are coloured. */
  static XYChart bars(String title, String peer, List<Line> bars) {
    Scale scale = Scale.of(bars, LINEAR_BARS);
    XYChart chart = chart(title, (title.isEmpty() ? 70 : 100) + ROW * bars.size());
    XYStyler styler = chart.getStyler();
    styler.setPlotGridLinesVisible(false);
    styler.setYAxisTicksVisible(false);
    EndLabels labels = new EndLabels(ROW / 2);
    chart.addAnnotation(labels);
    double least = Math.min(0, bars.stream().mapToDouble(b -> scale.at(b.last())).min().orElse(0));
    double range = 0;
    for (int i = 0; i < bars.size(); i++) {
      Line bar = bars.get(i);
      double end = scale.at(bar.last());
      double[] y = {-i, -i};
      Color colour = bar.isOurs ? COLOURS.getFirst() : GREY;
      style(chart.addSeries(i + bar.label(), new double[] {0, end}, y), colour, 14);
      String label = "%s \u00d7  %s".formatted(number(bar.last()), bar.label());
      labels.add(label, Math.max(0, end), -i, DARK);
      range = Math.max(range, range(label, Math.max(0, end) - least, scale.at(1) - least));
    }
    double below = 0.3 - bars.size();
    XYSeries one =
        chart.addSeries(peer, new double[] {scale.at(1), scale.at(1)}, new double[] {0.6, below});
    style(one, DARK, 1);
    styler.setXAxisMin(least - range / 40).setXAxisMax(least + range);
    styler.setYAxisMin(below).setYAxisMax(0.6);
    styler.setXAxisTickMarkSpacingHint(70);
    chart.setXAxisTitle(scaleTitle(peer));
    double furthest = Math.ceil(Math.max(scale.at(1), scale.at(extreme(bars, Math::max))));
    chart.setCustomXAxisTickLabelsFormatter(
        at -> at > furthest ? blank(at - furthest) : scale.tick(at));
    return chart;
  }

  private static double[] scaledOnes(Scale scale) {
    return new double[] {scale.at(1), scale.at(1)};
  }

  private static String scaleTitle(String peer) {
    return "speed, %s = 1".formatted(peer);
  }

  private static double extreme(List<Line> lines, DoubleBinaryOperator choice) {
    return lines.stream()
        .flatMap(line -> line.speeds().values().stream())
        .mapToDouble(Double::doubleValue)
        .reduce(1, choice);
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  private static String tick(double log2) {
    return log2 == Math.rint(log2) ? "2^%s".formatted((long) log2) : blank(1 + 8 * log2);
  }

  /** Labels of ticks must differ. */
  private static String blank(double width) {
    return " ".repeat((int) Math.ceil(width));
  }

  /** The least part of an axis that leaves room for the label after its line's end. */
  private static double range(String label, double end, double least) {
    double width = FONT.getStringBounds(label, new FontRenderContext(null, true, true)).getWidth();
    return Math.max(least, end) / (1 - Math.min(0.7, (width + 14) / PLOT_WIDTH));
  }

  private static XYSeries style(XYSeries series, Color colour, float width) {
    series.setLineColor(colour);
    series.setMarkerColor(colour).setMarker(SeriesMarkers.NONE);
    series.setLineStyle(new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND));
    return series;
  }

  private static XYChart chart(String title, int height) {
    XYChart chart = new XYChart(WIDTH, height);
    chart.setTitle(title);
    XYStyler styler = chart.getStyler();
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBackgroundColor(Color.WHITE);
    styler.setChartTitleFont(FONT.deriveFont(Font.BOLD, 15f));
    styler.setAxisTitleFont(FONT);
    styler.setAxisTickLabelsFont(FONT);
    styler.setChartFontColor(DARK);
    styler.setAxisTickLabelsColor(DARK);
    styler.setPlotGridLinesColor(GRID);
    styler.setPlotGridLinesStroke(new BasicStroke(1));
    styler.setPlotBorderVisible(false);
    styler.setAxisTicksMarksVisible(false);
    styler.setAxisTicksLineVisible(false);
    styler.setLegendVisible(false);
    styler.setPlotContentSize(1);
    styler.setMarkerSize(6);
    styler.setChartPadding(10);
    return chart;
  }
}
