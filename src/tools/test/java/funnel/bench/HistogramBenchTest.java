package funnel.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operator.ElementType;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class HistogramBenchTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int bench(String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "histogram";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return new CommandLine(new BenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all);
  }

  private List<String> rightLines() {
    return out.toString().lines().filter(line -> line.endsWith("  right")).toList();
  }

  @Test
  void writesTableJsonAndPlot(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("histogram.json");
    Path png = folder.resolve("histogram.png");
    int code = bench("--quick", "--engine=jvm", "--json=" + json, "--png=" + png);
    assertEquals(0, code, () -> out + "" + err);
    List<String> lines = Files.readAllLines(json);
    // four distributions; two lengths of bytes, two numbers of bins of ints; Funnel and the loop
    assertEquals(1 + 4 * (2 + 2) * 2, lines.size());
    assertTrue(lines.get(0).contains("\"command\":\"bench histogram --quick"), lines.get(0));
    for (String line : lines.subList(1, lines.size())) {
      assertTrue(line.contains("\"right\":true"), line);
      assertTrue(line.contains("\"kernel_ns\":null"), line);
      assertTrue(line.contains("\"share_of_cub\":null"), line);
      assertFalse(line.contains("\"times_uniform\":null"), line);
    }
    assertEquals(4 * (2 + 2) * 2, rightLines().size(), out::toString);
    assertTrue(out.toString().contains("jvm-loop"), out::toString);
    assertTrue(ImageIO.read(png.toFile()).getWidth() > 0);
  }

  @Test
  void everyMethodIsMeasuredOrRefused() {
    int code =
        bench(
            "--quick",
            "--engine=emulator",
            "--methods=auto,strided,sectioned,privatised,thread-counters,passes",
            "--sizes=1000",
            "--int-sizes=3000",
            "--bins=16,300",
            "--data=alternating",
            "--peers=none");
    assertEquals(0, code, () -> out + "" + err);
    // thread-counters are not for 300 bins
    assertEquals(6 + 6 + 5, rightLines().size(), out::toString);
    assertEquals(
        1,
        out.toString()
            .lines()
            .filter(line -> line.startsWith("funnel/thread-counters") && line.contains("refused: "))
            .count(),
        out::toString);
  }

  @Test
  void wrongUsageIsSaid() {
    assertEquals(2, bench("--engine=jvm", "--types=float"));
    assertEquals(2, bench("--engine=jvm", "--data=normal"));
    assertEquals(2, bench("--engine=jvm", "--methods=atomic"));
    assertEquals(2, bench("--engine=jvm", "--peers=jdk"));
    assertEquals(2, bench("--engine=jvm", "--bins=2^25"));
    assertEquals(2, bench("--engine=jvm", "--bins=0"));
    assertEquals(2, bench("--engine=jvm", "--sizes=2^31"));
    assertEquals(2, bench("--engine=jvm", "--seconds=0"));
    assertEquals(2, bench("--json=/no/such/folder/x.json"));
    String said = err.toString();
    assertTrue(said.contains("'float' is none of byte, int"), said);
    assertTrue(said.contains("'atomic' is none of auto, all, sectioned"), said);
    assertTrue(said.contains("33554432 is out of range: 1 to 16777216"), said);
  }

  @ParameterizedTest
  @EnumSource
  void samplesAreWhatTheirNameSays(SampleData data) {
    int length = 100_000;
    int[] bytes = new Samples(ElementType.BYTE, data, length).counts(256);
    int[] ints = new Samples(ElementType.INT, data, length).counts(10);
    for (int[] counts : List.of(bytes, ints)) {
      assertEquals(length, Arrays.stream(counts).sum());
      int largest = Arrays.stream(counts).max().orElseThrow();
      long used = Arrays.stream(counts).filter(count -> count > 0).count();
      switch (data) {
        case UNIFORM, SORTED -> {
          assertEquals(counts.length, used);
          assertTrue(largest < 1.4 * length / counts.length, data + " " + largest);
        }
        case CONSTANT -> assertEquals(1, used);
        case HOT -> {
          assertEquals(counts.length, used);
          assertEquals(0.9, largest / (double) length, 0.02);
        }
        case ALTERNATING ->
            assertArrayEquals(new long[] {2, length / 2}, new long[] {used, largest});
      }
    }
  }

  /** The first samples, which histogram.cu must make too: splitmix64 of 0 and 1 is published. */
  @Test
  void samplesAreThoseOfTheCudaPeers() {
    assertEquals(0xE2, SampleData.UNIFORM.value(0, 2, 256));
    assertEquals(0x6E, SampleData.UNIFORM.value(1, 2, 256));
    assertEquals(0xE220A839L * Samples.SPAN >> 32, SampleData.UNIFORM.value(0, 2, Samples.SPAN));
    assertEquals(333_333_333, SampleData.CONSTANT.value(0, 2, Samples.SPAN));
    assertEquals(333_333_333, SampleData.HOT.value(0, 2, Samples.SPAN)); // 0xcdaf is below 9 / 10
    assertEquals(0xa9, SampleData.HOT.value(21, 99, 256)); // the low half word is 0xf10d
    assertEquals(500_000_000, SampleData.SORTED.value(1, 2, Samples.SPAN));
    assertEquals(170, SampleData.ALTERNATING.value(1, 2, 256));
  }

  @Test
  void plainCountsAndHash() {
    Samples samples = new Samples(ElementType.INT, SampleData.ALTERNATING, 5);
    int[] counts = samples.counts(3);
    assertArrayEquals(new int[] {3, 2, 0}, counts);
    assertEquals("0000000000000009", Samples.hash(counts));
    assertEquals("", Samples.wrong(counts, new int[] {3, 2, 0}));
    assertEquals("bin 1 has 2, expected 1", Samples.wrong(counts, new int[] {3, 1, 0}));
    assertThrows(
        IllegalArgumentException.class, () -> new Samples(ElementType.INT, SampleData.HOT, 0));
    assertThrows(
        IllegalArgumentException.class, () -> new Samples(ElementType.LONG, SampleData.HOT, 1));
  }

  @Test
  void linesOfTheCudaPeersBecomeMeasurements() throws Exception {
    Samples samples = new Samples(ElementType.BYTE, SampleData.UNIFORM, 1000);
    int[] expected = samples.counts(256);
    String head =
        "{\"record\":\"peer\",\"type\":\"byte\",\"data\":\"uniform\",\"length\":1000,\"bins\":256,";
    String right =
        "\"subject\":\"cub\",\"cache\":\"%s\",\"total\":1000,\"hash\":\"%s\",\"kernel_ns\":[%s,%s]}";
    Map<String, String> warm =
        CudaPeers.fields(head + right.formatted("warm", Samples.hash(expected), 500, 500));
    Map<String, String> cold =
        CudaPeers.fields(head + right.formatted("cold", "0123456789abcdef", 800, 800));
    Map<String, String> none =
        CudaPeers.fields(head + "\"subject\":\"cub\",\"note\":\"out of memory\"}");
    HistogramBench bench = new HistogramBench();
    assertTrue(bench.isAbout(warm, samples, 256));
    assertFalse(bench.isAbout(warm, samples, 255));
    Measurement<HistogramCase> first = bench.measurement(warm, samples, 256);
    Measurement<HistogramCase> second = bench.measurement(cold, samples, 256);
    Measurement<HistogramCase> third = bench.measurement(none, samples, 256);
    assertEquals("cub", first.label());
    assertTrue(first.right());
    assertEquals(2.0, first.gigabytesPerSecond());
    assertEquals("cub (cold)", second.label());
    assertTrue(second.result().endsWith("sum of counts 1000"), second.result());
    assertEquals("out of memory", third.note());
    assertFalse(third.isMeasured());

    HistogramCase what = new HistogramCase(samples, 256);
    Timing micro = new Timing(new double[] {1000});
    Measurement<HistogramCase> own = Measurement.taken("funnel", what, micro, null, Outcome.of(""));
    HistogramReport report = new HistogramReport("bench", "engine", Map.of());
    List.of(second, first, third, own).forEach(report::add);
    assertEquals(0.5, report.shareOfCub(own));
    assertEquals(1.0, report.timesUniform(own));
    assertTrue(Double.isNaN(report.shareOfCopy(own)));
    assertFalse(report.isRight());
    assertTrue(report.table().contains("WRONG: hash 0123456789abcdef"), report::table);
    assertTrue(HistogramSubject.isAllowed(third));
    assertFalse(HistogramSubject.isAllowed(Measurement.failed("funnel", what, "no")));
  }
}
