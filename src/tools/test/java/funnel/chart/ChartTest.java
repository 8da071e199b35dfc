package funnel.chart;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.operation.Target;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;

/** Charts have titles, axes and the numbers that were given. */
class ChartTest {

  private static XYSeries only(XYChart chart) {
    assertEquals(720, BitmapEncoder.getBufferedImage(chart).getWidth()); // it can be drawn
    return chart.getSeriesMap().values().iterator().next();
  }

  private static CategorySeries only(CategoryChart chart) {
    assertEquals(720, BitmapEncoder.getBufferedImage(chart).getWidth());
    return chart.getSeriesMap().values().iterator().next();
  }

  @Test
  void linesOfAllNumbers() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      for (Object same :
          new Object[] {
            new int[] {3, 1, 4},
            new long[] {3, 1, 4},
            new float[] {3, 1, 4},
            new double[] {3, 1, 4},
            new byte[] {3, 1, 4},
            List.of(3, 1L, 4.0),
            funnel.of(4, 1, 3).reversed()
          }) {
        XYChart chart = Chart.line(same);
        assertArrayEquals(new double[] {0, 1, 2}, only(chart).getXData());
        assertArrayEquals(new double[] {3, 1, 4}, only(chart).getYData());
        assertEquals("3 elements", chart.getTitle());
        assertEquals("position", chart.getXAxisTitle());
        assertEquals("value", chart.getYAxisTitle());
      }
    }
    XYChart named = Chart.line("t", "x", new int[] {5, 7, 9}, "y", new double[] {1, Double.NaN, 2});
    assertEquals(
        "t x y", named.getTitle() + " " + named.getXAxisTitle() + " " + named.getYAxisTitle());
    assertArrayEquals(new double[] {5, 9}, only(named).getXData());
    assertEquals(255, only(Chart.line(new byte[] {-1})).getYData()[0]);
  }

  @Test
  void aLongLineKeepsItsExtremes() {
    int[] peak = new int[1_000_000];
    peak[123_456] = 9;
    peak[654_321] = -9;
    XYSeries drawn = only(Chart.line(peak));
    assertTrue(drawn.getYData().length <= 4096);
    assertEquals(9, Arrays.stream(drawn.getYData()).max().orElseThrow());
    assertEquals(-9, Arrays.stream(drawn.getYData()).min().orElseThrow());
  }

  @Test
  void barsHaveNames() {
    CategorySeries bars = only(Chart.bars("t", "x", List.of("a", "b"), "y", new int[] {2, 5}));
    assertEquals("y", bars.getName());
    assertEquals(List.of("a", "b"), bars.getXData());
    assertEquals("[2.0, 5.0]", bars.getYData().toString());
    assertEquals(List.of("0", "1"), only(Chart.bars(new int[] {2, 5})).getXData());
    assertEquals(
        List.of("1.5"), only(Chart.bars("", "", new double[] {1.5}, "v", List.of(1))).getXData());
  }

  @Test
  void theLastBinHasBothEdges() {
    double[] x = IntStream.rangeClosed(0, 10).asDoubleStream().toArray();
    XYSeries bins = only(Chart.hist(x, 10));
    double[] corners = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 0};
    assertArrayEquals(corners, bins.getYData());
    for (int i = 0; i < corners.length; i++) {
      assertEquals(i / 2, bins.getXData()[i], 1e-15);
    }
    double[] odd = {Double.NaN, 4, Double.POSITIVE_INFINITY, 4};
    assertArrayEquals(new double[] {0, 0, 0, 2, 2, 0}, only(Chart.hist(odd, 2)).getYData());
  }

  @Test
  void picturesHaveAxesAndAColourBar() {
    BufferedImage picture = Chart.image(new double[][] {{0, 1, 2}, {3, 4, 5}});
    BufferedImage same = Chart.image("3 x 2", new float[][] {{0, 1, 2}, {3, 4, 5}});
    assertTrue(picture.getWidth() > 100 && picture.getHeight() > 100);
    assertEquals(picture.getRGB(60, 60), same.getRGB(60, 60));
    Chart.image(new double[][] {{7}}); // without a range
  }

  private static void refused(String message, Runnable chart) {
    String found = assertThrows(IllegalArgumentException.class, chart::run).toString();
    assertTrue(found.contains(message), found);
  }

  @Test
  void whatCannotBeDrawnIsRefused() {
    refused("nothing to draw among 0", () -> Chart.line(new int[0]));
    refused("nothing to draw among 1", () -> Chart.bars(new double[] {Double.NaN}));
    refused("nothing to draw", () -> Chart.hist(new double[0], 3));
    refused("nothing to draw", () -> Chart.image(new double[0][]));
    refused("2 and 1", () -> Chart.line("", "", new int[2], "", new int[1]));
    refused("2 and 1", () -> Chart.image(new double[][] {{1, 2}, {3}}));
    refused("java.lang.String cannot", () -> Chart.line("text"));
    refused("int[][] cannot", () -> Chart.image(new int[1][1]));
    refused("too many", () -> Chart.bars(new int[2000]));
    refused("bins=0", () -> Chart.hist(new int[] {1}, 0));
  }
}
