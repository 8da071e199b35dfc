package funnel.chart;

import funnel.Array;
import funnel.heat.ColourMap;
import funnel.heat.HeatImage;
import funnel.heat.HeatSnapshot;
import funnel.operator.ElementType;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Charts of one line, which a notebook shows as the value of a cell: {@code Chart.line(x)}.
 *
 * <p>What is drawn are numbers: a Funnel's {@link Array}, which is computed for it, a Java array of
 * numbers, bytes from 0 to 255, or a list of numbers; for a picture also {@code float[][]} and
 * {@code double[][]}, row after row from below. NaN and infinities are left out. Lines, bars and
 * histograms are XChart's charts, which can be changed and saved by its methods.
 *
 * <p>All methods throw an IllegalArgumentException if something else is given, if two arrays have
 * different lengths, and if no number is finite.
 */
public final class Chart {

  private static final int WIDTH = 720;
  private static final int HEIGHT = 360;
  private static final int MOST_POINTS = 4096;
  private static final int MOST_BARS = 1000;
  private static final String POSITION = "position";
  private static final String VALUE = "value";

  private Chart() {}

  /** Elements over their positions. */
  public static XYChart line(Object y) {
    double[] values = numbers(y);
    return line(title(values.length), POSITION, positions(values.length), VALUE, values);
  }

  /** Elements over others. Of more than 4096, the least and the largest of neighbours are drawn. */
  public static XYChart line(String title, String xName, Object x, String yName, Object y) {
    double[] across = numbers(x);
    double[] up = numbers(y);
    requireEqual(across.length, up.length);
    requireFinite(across);
    requireFinite(up);
    int[] drawn = drawn(across, up);
    XYChart chart = chart(title, xName, yName);
    chart
        .addSeries(
            yName,
            IntStream.of(drawn).mapToDouble(i -> across[i]).toArray(),
            IntStream.of(drawn).mapToDouble(i -> up[i]).toArray())
        .setMarker(SeriesMarkers.NONE);
    return chart;
  }

  /** A bar for each element, over its position. */
  public static CategoryChart bars(Object heights) {
    double[] values = numbers(heights);
    return bars(title(values.length), POSITION, positions(values.length), VALUE, values);
  }

  /**
   * A bar for each of at most 1000 elements.
   *
   * @param x the bars' names: numbers, or a list or an array of strings
   */
  public static CategoryChart bars(String title, String xName, Object x, String yName, Object y) {
    double[] heights = numbers(y);
    List<String> names = names(x);
    requireEqual(names.size(), heights.length);
    requireFinite(heights);
    if (heights.length > MOST_BARS) {
      throw new IllegalArgumentException(
          "%s bars are too many to see: draw a line, or at most %s of them"
              .formatted(heights.length, MOST_BARS));
    }
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xName)
            .yAxisTitle(yName)
            .build();
    style(chart.getStyler());
    chart.getStyler().setXAxisMaxLabelCount(20);
    chart.addSeries(
        yName, names, DoubleStream.of(heights).mapToObj(h -> Double.isFinite(h) ? h : 0).toList());
    return chart;
  }

  /** How many elements are in each of some bins of the same width, see the other form. */
  public static XYChart hist(Object x, int bins) {
    double[] values = numbers(x);
    return hist(title(values.length), VALUE, values, bins);
  }

  /**
   * How many elements are in each of some bins of the same width, from the least to the largest
   * finite element. A bin has its lower edge and not its upper one, but the last has both.
   *
   * @throws IllegalArgumentException if {@code bins} is not from 1 to 10,000
   */
  public static XYChart hist(String title, String xName, Object x, int bins) {
    if (bins < 1 || bins > 10_000) {
      throw new IllegalArgumentException("bins=%s: give 1 to 10000".formatted(bins));
    }
    double[] values = DoubleStream.of(numbers(x)).filter(Double::isFinite).toArray();
    requireFinite(values);
    double least = DoubleStream.of(values).min().orElseThrow();
    double largest = DoubleStream.of(values).max().orElseThrow();
    double from = least < largest ? least : least - 0.5;
    double to = least < largest ? largest : largest + 0.5;
    double[] edges =
        IntStream.rangeClosed(0, bins)
            .mapToDouble(i -> from * (1 - (double) i / bins) + to * ((double) i / bins))
            .toArray();
    double[] corners = new double[2 * bins + 2];
    double[] counts = new double[corners.length];
    for (double value : values) {
      int at = Arrays.binarySearch(edges, value);
      counts[2 * Math.clamp(at < 0 ? -at - 2 : at, 0, bins - 1) + 1]++;
    }
    for (int i = 0; i < corners.length; i++) {
      corners[i] = edges[i / 2];
      counts[i] = i % 2 == 1 || i == 0 ? counts[i] : counts[i - 1]; // a bin's other corner
    }
    XYChart chart = chart(title, xName, "count");
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Area);
    // over evenly spaced numbers XChart's ticks are some of these, with all their digits
    chart
        .getStyler()
        .setxAxisTickLabelsFormattingFunction(
            tick -> word(new BigDecimal(tick).round(new MathContext(4)).doubleValue()));
    chart.addSeries("count", corners, counts).setMarker(SeriesMarkers.NONE);
    return chart;
  }

  /** A field with its axes in nodes and a colour bar. */
  public static BufferedImage image(Object field) {
    HeatSnapshot snapshot = field(field);
    String title = String.format(Locale.ROOT, "%,d x %,d", snapshot.nx(), snapshot.ny());
    return image(title, snapshot);
  }

  /**
   * A field with its axes in nodes and a colour bar.
   *
   * @param field a {@code float[][]} or {@code double[][]} of rows, or a heat solver's snapshot
   */
  public static BufferedImage image(String title, Object field) {
    HeatSnapshot snapshot = field(field);
    return HeatImage.of(ColourMap.INFERNO).rangeOf(snapshot).axes(1, 1, title).draw(snapshot);
  }

  private static HeatSnapshot field(Object field) {
    if (field instanceof HeatSnapshot snapshot) {
      return snapshot;
    }
    if (!(field instanceof float[][] || field instanceof double[][])) {
      throw unknown(field);
    }
    List<double[]> rows = Arrays.stream((Object[]) field).map(Chart::numbers).toList();
    int width = rows.isEmpty() ? 0 : rows.getFirst().length;
    rows.forEach(row -> requireEqual(width, row.length));
    double[] all = rows.stream().flatMapToDouble(Arrays::stream).toArray();
    requireFinite(all);
    return new HeatSnapshot(
        ElementType.DOUBLE, width, rows.size(), 0, 0, MemorySegment.ofArray(all));
  }

  private static XYChart chart(String title, String xName, String yName) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xName)
            .yAxisTitle(yName)
            .build();
    style(chart.getStyler());
    return chart;
  }

  private static void style(AxesChartStyler styler) {
    styler.setLegendVisible(false);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setSeriesColors(new Color[] {new Color(0x1f77b4), new Color(0xd62728)});
  }

  /** The positions of points to draw, where both numbers are finite. */
  private static int[] drawn(double[] x, double[] y) {
    int[] finite =
        IntStream.range(0, x.length)
            .filter(i -> Double.isFinite(x[i]) && Double.isFinite(y[i]))
            .toArray();
    if (finite.length <= MOST_POINTS) {
      return finite;
    }
    int parts = MOST_POINTS / 2;
    return IntStream.range(0, parts)
        .flatMap(
            part -> {
              int least = finite[(int) ((long) part * finite.length / parts)];
              int largest = least;
              int end = (int) ((part + 1L) * finite.length / parts);
              for (int k = (int) ((long) part * finite.length / parts); k < end; k++) {
                least = y[finite[k]] < y[least] ? finite[k] : least;
                largest = y[finite[k]] > y[largest] ? finite[k] : largest;
              }
              return IntStream.of(Math.min(least, largest), Math.max(least, largest)).distinct();
            })
        .toArray();
  }

  private static double[] positions(int length) {
    return IntStream.range(0, length).asDoubleStream().toArray();
  }

  private static String title(int length) {
    return String.format(Locale.ROOT, "%,d element%s", length, length == 1 ? "" : "s");
  }

  private static double[] numbers(Object of) {
    return switch (Objects.requireNonNull(of, "numbers")) {
      case Array<?, ?> array -> numbers((Object) array.toArray());
      case double[] all -> all;
      case int[] all -> Arrays.stream(all).asDoubleStream().toArray();
      case long[] all -> Arrays.stream(all).asDoubleStream().toArray();
      case float[] all -> IntStream.range(0, all.length).mapToDouble(i -> all[i]).toArray();
      case byte[] all -> IntStream.range(0, all.length).mapToDouble(i -> all[i] & 0xff).toArray();
      case List<?> all when all.stream().allMatch(Number.class::isInstance) ->
          all.stream().mapToDouble(each -> ((Number) each).doubleValue()).toArray();
      default -> throw unknown(of);
    };
  }

  private static List<String> names(Object of) {
    if (of instanceof String[] names) {
      return List.of(names);
    }
    if (of instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
      return list.stream().map(String.class::cast).collect(Collectors.toList());
    }
    return DoubleStream.of(numbers(of)).mapToObj(Chart::word).toList();
  }

  private static String word(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? String.valueOf((long) number)
        : String.valueOf(number);
  }

  private static void requireEqual(int one, int other) {
    if (one != other) {
      throw new IllegalArgumentException(
          "lengths are %s and %s: give as many of both".formatted(one, other));
    }
  }

  private static void requireFinite(double[] numbers) {
    if (DoubleStream.of(numbers).noneMatch(Double::isFinite)) {
      throw new IllegalArgumentException(
          "there is nothing to draw among %s elements: give one finite number at least"
              .formatted(numbers.length));
    }
  }

  private static IllegalArgumentException unknown(Object of) {
    return new IllegalArgumentException(
        "%s cannot be drawn: give a Funnel's array, a Java array or a list of numbers, for a picture float[][] or double[][]"
            .formatted(of.getClass().getTypeName()));
  }
}
