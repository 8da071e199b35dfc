package funnel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operator.ElementType;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

class HeatBenchTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int bench(String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "heat";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return new CommandLine(new BenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all);
  }

  @Test
  void writesTableJsonAndPlot(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("heat.json");
    Path png = folder.resolve("heat.png");
    int code =
        bench(
            "--quick",
            "--engine=jvm",
            "--types=float,double",
            "--sizes=200x100,37x41",
            "--json=" + json,
            "--png=" + png);
    assertEquals(0, code, () -> out + "" + err);
    List<String> lines = Files.readAllLines(json);
    assertEquals(1 + 2 * 2, lines.size());
    assertTrue(lines.get(0).contains("\"command\":\"bench heat --quick"), lines.get(0));
    for (String line : lines.subList(1, lines.size())) {
      assertTrue(line.contains("\"right\":true"), line);
      assertTrue(line.contains("\"steps\":19"), line);
      assertTrue(line.contains("\"kernel_ns\":null"), line);
    }
    assertTrue(out.toString().contains("7.41, 6.26"), out::toString);
    assertTrue(ImageIO.read(png.toFile()).getWidth() > 0);
  }

  /** The same bits by all methods; the stream is for floats only. */
  @Test
  void runsEveryMethodInTheEmulator() {
    int code = bench("--quick", "--engine=emulator", "--sizes=70x50", "--types=float,double");
    assertEquals(0, code, () -> out + "" + err);
    List<String> right = out.toString().lines().filter(line -> line.endsWith("  right")).toList();
    assertEquals(6 + 5, right.size(), out::toString);
    assertTrue(out.toString().contains("for floats only"), out::toString);
    assertFalse(out.toString().contains("DIFFERENT BITS"), out::toString);
  }

  @Test
  void wrongUsageIsSaid() {
    assertEquals(2, bench("--sizes=100"));
    assertEquals(2, bench("--sizes=100x"));
    assertEquals(2, bench("--sizes=0x5"));
    assertEquals(2, bench("--sizes=100000x100000"));
    assertEquals(2, bench("--types=int"));
    assertEquals(2, bench("--methods=7"));
    assertEquals(2, bench("--steps=0"));
    assertEquals(2, bench("--engine=jvm", "--peers=cub"));
    assertEquals(2, bench("--engine=jvm", "--batch=3"));
    assertEquals(2, bench("--json=/no/such/folder/x.json"));
    assertTrue(err.toString().contains("nodes=10000000000"), err::toString);
    assertThrows(TypeConversionException.class, () -> GridSize.list("3x4,"));
    assertEquals(List.of(new GridSize(3, 4), new GridSize(5, 6)), GridSize.list("3x4,5x6"));
  }

  /** A node's place and the sum of a 3 x 3 field by hand. */
  @Test
  void theFieldKnowsItsResult() {
    HeatField field = new HeatField(ElementType.FLOAT, new GridSize(3, 3));
    float[] u = new float[9];
    for (int k = 0; k < 9; k++) {
      u[k] = (Workload.splitmix64(k) >>> 40) * 0x1p-24f;
    }
    assertEquals(-1, field.initial().mismatch(MemorySegment.ofArray(u)));
    long hash = 0;
    for (int k = 0; k < 9; k++) {
      hash += Integer.toUnsignedLong(Float.floatToRawIntBits(u[k])) * (2L * k + 1);
    }
    assertEquals("%016x".formatted(hash), field.hash(MemorySegment.ofArray(u)));
    float z = Math.fma(1f, u[1] + u[7], u[3] + u[5]);
    z = Math.fma(-4f, u[4], z);
    u[4] = Math.fma(0.2f, z, u[4]);
    assertEquals("", field.check(MemorySegment.ofArray(u), 1));
    u[4] = Math.nextUp(u[4]);
    assertTrue(
        field.check(MemorySegment.ofArray(u), 1).startsWith("node (1, 1) is "),
        field.check(MemorySegment.ofArray(u), 1));
  }

  private static String line(String subject, int steps, String nanos, String hash) {
    return "{\"record\":\"peer\",\"subject\":\"%s\",\"type\":\"float\",\"nx\":14400,\"ny\":14400,\"steps\":%s,\"hash\":\"%s\",\"result\":\"right\",\"kernel_ns\":[%s]}"
        .formatted(subject, steps, hash, nanos);
  }

  @Test
  void theTableHasSpeedUpShareOfCopyAndTheLecture() throws Exception {
    HeatReport report = new HeatReport("bench", "engine", Map.of());
    Measurement<HeatCase> naive =
        HeatBench.measurement(
            CudaPeers.fields(line("cuda-naive", 100, "83000000,83000000,90000000", "ab")));
    Measurement<HeatCase> copy =
        HeatBench.measurement(CudaPeers.fields(line("copy", 1, "400000", "")));
    GridSize size = new GridSize(14400, 14400);
    Measurement<HeatCase> first = method("funnel/global", 1, size, 100e6, "ab");
    Measurement<HeatCase> fourth = method("funnel/strip", 4, size, 50e6, "ab");
    report.add(first);
    report.add(fourth);
    report.add(naive);
    report.add(copy);
    assertTrue(report.isRight());
    assertEquals(2, report.speedUp(fourth));
    assertEquals(100 / 83.0, report.speedUp(naive), 1e-12);
    assertEquals(0.2, HeatReport.hostShare(withWall(first, 125e6)), 1e-12);
    assertEquals(0.8, report.shareOfCopy(fourth), 1e-12);
    String strip = report.table().lines().filter(l -> l.contains("strip")).findFirst().orElse("");
    assertTrue(
        strip.matches(
            " *4 +funnel/strip +float +14400x14400 +100 +50.000 +500.0 +- +- +2.00 +3318 +0.800"
                + " +4.03 +1.84 +right"),
        strip);
    report.add(method("funnel/tile", 3, size, 50e6, "ac"));
    assertFalse(report.isRight());
    assertTrue(report.table().contains("DIFFERENT BITS: ac"), report::table);
  }

  private static Measurement<HeatCase> withWall(Measurement<HeatCase> m, double nanos) {
    Timing wall = new Timing(new double[] {nanos});
    return new Measurement<>(
        m.subject(), m.what(), m.cache(), m.kernel(), wall, m.result(), m.right(), m.note());
  }

  private static Measurement<HeatCase> method(
      String subject, int number, GridSize size, double nanos, String hash) {
    HeatCase what = new HeatCase(number, ElementType.FLOAT, size, 100, hash);
    Timing kernel = new Timing(new double[] {nanos});
    return Measurement.taken(subject, what, kernel, null, Outcome.of(""));
  }
}
