package funnel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.bench.PrintedTable.Row;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;

class PrintedTableTest {

  private static final String TABLE =
      """
      engine: NVIDIA H200, 2026-11-24
      subject     type  op      length  kernel us  p10..p90  wall us  p10..p90  GB/s  of copy  result
      copy        int   copy      4096        1.0  1.0..1.0        -         -   1.0    1.000  right
      funnel      int   sum       1024       20.0  1.0..1.0     50.0  1.0..1.0   1.0    0.063  right
      cub         int   sum       1024       10.0  1.0..1.0     40.0  1.0..1.0   1.0    0.063  right
      cub (cold)  int   sum       1024       99.0  1.0..1.0     99.0  1.0..1.0   1.0    0.063  right
      jdk-stream  int   sum       1024          -         -     80.0  1.0..1.0   1.0        -  right
      ladder/128  int   sum       1024       30.0  1.0..1.0     50.0  1.0..1.0   1.0    0.063  right
      ladder/256  int   sum       1024       25.0  1.0..1.0     50.0  1.0..1.0   1.0    0.063  right
      broken      int   sum       1024        1.0  1.0..1.0      1.0  1.0..1.0   1.0        -  WRONG: 7
      funnel      int   sum       4096       30.0  1.0..1.0     50.0  1.0..1.0   1.0    0.063  right
      cub (cold)  int   sum       4096       15.0  1.0..1.0     40.0  1.0..1.0   1.0    0.063  right
      GB/s: bytes over time
      engine: another
      funnel      int   sum       8192       30.0  1.0..1.0     50.0  1.0..1.0   1.0    0.063  right
      """;

  private final PrintedTable table = PrintedTable.of(TABLE);

  private Row row(String subject, String length) {
    return table.rows().stream()
        .filter(r -> r.subject().equals(subject) && length.equals(r.what().get("length")))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void rightRowsOfTheFirstEngineCount() {
    assertEquals("NVIDIA H200, 2026-11-24", table.machine());
    assertEquals(
        List.of("funnel", "cub", "jdk-stream", "ladder", "funnel", "cub"),
        table.rows().stream().map(Row::subject).toList());
    assertEquals("length", table.axis());
    assertEquals(List.of("int, sum"), List.copyOf(table.byTitle("length").keySet()));
  }

  @Test
  void speedsAreOfOneClock() {
    assertEquals(0.5, row("funnel", "1024").speed(row("cub", "1024")));
    assertEquals(0.5, row("jdk-stream", "1024").speed(row("cub", "1024")));
    assertEquals(25, row("ladder", "1024").kernel()); // the faster block
    assertEquals(10, row("cub", "1024").kernel()); // warm
    assertEquals("cub", PrintedTable.peer(table.rows()).subject());
  }

  @Test
  void picturesAreDrawnOfLinesAndOfBars(@TempDir Path folder) throws IOException {
    Path lines = folder.resolve("lines.png");
    Plots.write(TABLE, lines);
    Path bars = folder.resolve("bars.png");
    Plots.write(TABLE.replaceAll("(?m)^.* 4096 .*\n", ""), bars);
    assertTrue(ImageIO.read(lines.toFile()).getHeight() > ImageIO.read(bars.toFile()).getHeight());
    Path none = folder.resolve("none.png");
    assertThrows(IOException.class, () -> Plots.write("engine: JVM\n", none));
  }

  /** Fifty charts below one another were 19,000 pixels high. */
  @Test
  void manyChartsAreAGrid(@TempDir Path folder) throws IOException {
    SortedMap<Double, Double> speeds = new TreeMap<>(Map.of(1024.0, 0.5, 4096.0, 2.0));
    List<SpeedChart.Line> lines = List.of(new SpeedChart.Line("Funnel", speeds, true));
    SpeedChart.Panels panels = SpeedChart.Panels.of(lines);
    List<XYChart> charts =
        IntStream.range(0, 50)
            .mapToObj(k -> SpeedChart.lines("chart " + k, "length", "CUB", lines, panels))
            .toList();
    Path file = folder.resolve("grid.png");
    Plots.write(charts, List.of("a machine"), file);
    BufferedImage image = ImageIO.read(file.toFile());
    double shape = (double) image.getWidth() / image.getHeight();
    assertTrue(shape > 1.3 && shape < 2.4, "shape " + shape);
  }

  @Test
  void whatHasOneColourHasItInAllCharts() {
    SortedMap<Double, Double> speeds = new TreeMap<>(Map.of(1.0, 2.0));
    List<String> labels =
        SpeedChart.Panels.of(
                List.of(
                    new SpeedChart.Line("plain loop", speeds, false),
                    new SpeedChart.Line("Funnel", speeds, true),
                    new SpeedChart.Line("plain loop", speeds, false)))
            .labels();
    assertEquals(List.of("Funnel", "plain loop"), labels);
  }

  @Test
  void numbersAreShort() {
    assertEquals("0", SpeedChart.number(1e-17));
    assertEquals("0.95", SpeedChart.number(0.9483));
    assertEquals("9.9", SpeedChart.number(9.904));
    assertEquals("1,024", SpeedChart.number(1024));
    assertEquals("2^20", PrintedTable.power(1 << 20));
    assertEquals("1,000,000", PrintedTable.power(1000000));
  }
}
