package funnel.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.file.Json;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

class BenchTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int bench(String... arguments) {
    return new CommandLine(new BenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Test
  void reduceWritesTableJsonAndPlot(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("reduce.json");
    Path png = folder.resolve("reduce.png");
    int code =
        bench(
            "reduce",
            "--quick",
            "--engine",
            "jvm",
            "--json",
            json.toString(),
            "--png",
            png.toString());
    assertEquals(0, code, err::toString);
    List<String> lines = Files.readAllLines(json);
    assertEquals(1 + 2 * 4 * 2 * 2, lines.size()); // lengths, types, operators, subjects
    assertTrue(lines.get(0).contains("\"command\":\"bench reduce --quick --engine jvm"));
    for (String line : lines.subList(1, lines.size())) {
      assertTrue(line.contains("\"right\":true"), line);
      assertTrue(line.contains("\"kernel_ns\":null"), line);
    }
    assertTrue(out.toString().contains("jdk-stream"));
    assertFalse(out.toString().contains("WRONG"), out::toString);
    assertEquals(0x89504e47, java.nio.ByteBuffer.wrap(Files.readAllBytes(png)).getInt());
  }

  @Test
  void callsAreMeasuredFromAllKindsOfMemory(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("calls.json");
    int code =
        bench("calls", "--quick", "--engine", "jvm", "--threads", "2", "--json", json.toString());
    assertEquals(0, code, err::toString);
    List<String> lines = Files.readAllLines(json);
    // lengths; works and memories, threads, the JDK's
    assertEquals(1 + 2 * (2 * 3 + 2 + 2), lines.size());
    for (String line : lines.subList(1, lines.size())) {
      assertTrue(line.contains("\"right\":true"), line);
    }
    for (String memory : List.of("array", "segment", "tornado")) {
      assertTrue(out.toString().contains("funnel jvm " + memory + " scan"), out::toString);
    }
  }

  @Test
  void devicesMayBeNamedEverywhere() {
    new CommandLine(new BenchCommand())
        .getSubcommands()
        .forEach(
            (name, command) ->
                assertNotNull(command.getCommandSpec().findOption("--devices"), name));
    for (String engine : List.of("jvm", "emulator")) {
      assertEquals(2, bench("calls", "--quick", "--devices=0,1", "--engine", engine));
      assertTrue(
          err.toString().contains("--devices needs the engine tornado, not " + engine),
          err::toString);
    }
    assertEquals(2, bench("streams", "--quick", "--devices=first"));
    assertTrue(err.toString().contains("--devices first: give numbers"), err::toString);
  }

  @Test
  void ladderRunsEveryVariantInTheEmulator(@TempDir Path folder) {
    Path png = folder.resolve("ladder.png");
    int code =
        bench(
            "ladder",
            "--quick",
            "--engine",
            "emulator",
            "--sizes",
            "1000",
            "--block-sizes",
            "64",
            "--png",
            png.toString());
    assertEquals(0, code, () -> out + "" + err);
    assertEquals(7, out.toString().lines().filter(line -> line.endsWith("  right")).count());
    assertTrue(Files.exists(png));
  }

  @Test
  void scanWritesTableJsonAndPlot(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("scan.json");
    Path png = folder.resolve("scan.png");
    int code =
        bench(
            "scan",
            "--quick",
            "--engine",
            "jvm",
            "--json",
            json.toString(),
            "--png",
            png.toString());
    assertEquals(0, code, err::toString);
    List<String> lines = Files.readAllLines(json);
    // lengths; Funnel and the loop: four types by two operators and affine; the JDK: without float
    assertEquals(1 + 2 * (2 * 9 + 7), lines.size());
    for (String line : lines.subList(1, lines.size())) {
      assertTrue(line.contains("\"work\":\"scan\""), line);
      assertTrue(line.contains("\"right\":true"), line);
    }
    assertTrue(out.toString().contains("jdk-parallelPrefix"), out::toString);
    assertTrue(out.toString().contains("affine"), out::toString);
    assertEquals(0x89504e47, java.nio.ByteBuffer.wrap(Files.readAllBytes(png)).getInt());
  }

  @Test
  void scanRunsEveryFormInTheEmulator() {
    int code =
        bench(
            "scan",
            "--quick",
            "--engine",
            "emulator",
            "--sizes",
            "1,9000",
            "--types",
            "int,long",
            "--ops",
            "sum,affine",
            "--peers",
            "none");
    assertEquals(0, code, () -> out + "" + err);
    List<String> right = out.toString().lines().filter(line -> line.endsWith("  right")).toList();
    // int, long, long affine
    assertEquals(2 * 3 * 3, right.size(), out::toString);
    assertEquals(
        2 * 3, right.stream().filter(line -> line.startsWith("funnel/single-pass ")).count());
  }

  @Test
  void scanRunsSegmentsInTheEmulator() {
    int code =
        bench(
            "scan",
            "--quick",
            "--engine",
            "emulator",
            "--sizes",
            "9000",
            "--types",
            "int",
            "--ops",
            "sum",
            "--segments",
            "bits,heads,keys,offsets",
            "--windows",
            "7,700",
            "--peers",
            "none");
    assertEquals(0, code, () -> out + "" + err);
    List<String> right = out.toString().lines().filter(line -> line.endsWith("  right")).toList();
    // plain, and in segments by four, three forms of all; windows
    assertEquals(3 * (1 + 4) + 2, right.size(), out::toString);
  }

  @Test
  void scanRunsEveryVariantInTheEmulator(@TempDir Path folder) {
    Path png = folder.resolve("variants.png");
    int code =
        bench(
            "scan",
            "--variants",
            "--quick",
            "--engine",
            "emulator",
            "--sizes",
            "1000,3000",
            "--types",
            "int,double",
            "--ops",
            "sum",
            "--png",
            png.toString());
    assertEquals(0, code, () -> out + "" + err);
    List<String> right = out.toString().lines().filter(line -> line.endsWith("  right")).toList();
    // Funnel, five variants of which three are over double, the loop and the JDK
    assertEquals(2 * (1 + 5 + 2) + 2 * (1 + 3 + 2), right.size(), out::toString);
    assertEquals(2, right.stream().filter(line -> line.startsWith("warp-shuffle/1024 ")).count());
    assertTrue(Files.exists(png));
  }

  @Test
  void selectWritesTableJsonAndPlot(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("select.json");
    Path png = folder.resolve("select.png");
    int code =
        bench(
            "select",
            "--quick",
            "--engine",
            "jvm",
            "--json",
            json.toString(),
            "--png",
            png.toString());
    assertEquals(0, code, () -> out + "" + err);
    List<String> lines = Files.readAllLines(json);
    // lengths, types and operations, of which the chain is not over floats, subjects
    assertEquals(1 + 2 * (5 * 10 - 1) * 2, lines.size());
    for (String line : lines.subList(1, lines.size())) {
      assertTrue(line.contains("\"right\":true"), line);
      assertTrue(line.contains("\"bytes_moved\":null"), line);
    }
    assertTrue(
        lines.stream()
            .anyMatch(
                line ->
                    line.contains("\"type\":\"long\",\"op\":\"runs-128\",\"length\":4096")
                        && line.contains("\"bytes\":33152.0")), // 32 runs of 8 + 4 bytes
        lines::toString);
    assertTrue(Files.exists(png));
  }

  @Test
  void selectRunsEveryFormInTheEmulator(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("select.json");
    int code =
        bench(
            "select",
            "--quick",
            "--engine",
            "emulator",
            "--sizes",
            "5000",
            "--types",
            "int",
            "--ops",
            "select-50,flagged-50,partition-50,runs-2,chain-50",
            "--peers",
            "none",
            "--json",
            json.toString());
    assertEquals(0, code, () -> out + "" + err);
    List<String> right = out.toString().lines().filter(line -> line.endsWith("  right")).toList();
    assertEquals(5 + 5, right.size(), out::toString);
    List<String> runs =
        Files.readAllLines(json).stream().filter(line -> line.contains("runs-2")).toList();
    for (int moved : new int[] {80_000, 60_000}) { // in two passes, and in one
      String bytes = "\"bytes\":40000.0,\"bytes_moved\":%s,".formatted(moved);
      assertTrue(runs.stream().anyMatch(line -> line.contains(bytes)), runs::toString);
    }
  }

  @Test
  void linesOfTheCudaSelectionsBecomeMeasurements() throws Exception {
    Selectable elements = new Selectable(ElementType.BYTE, 1000, 0);
    Selectable.Kept kept = elements.kept(SelectTask.FLAGGED_50);
    String line =
        "{\"record\":\"peer\",\"subject\":\"cub\",\"type\":\"byte\",\"op\":\"flagged-50\",\"length\":1000,\"cache\":\"warm\",\"result\":\"%s\",\"hash\":\"%016x\",\"kernel_ns\":[500]}";
    SelectBench bench = new SelectBench();
    Map<String, String> right = CudaPeers.fields(line.formatted(kept.count(), kept.hash()));
    Map<String, String> wrong = CudaPeers.fields(line.formatted(kept.count(), kept.hash() + 1));
    assertTrue(bench.isAbout(right, elements, SelectTask.FLAGGED_50));
    assertFalse(bench.isAbout(right, elements, SelectTask.SELECT_50));
    Measurement<SelectCase> measured = bench.measurement(right, elements, SelectTask.FLAGGED_50);
    assertTrue(measured.right());
    assertEquals((2000 + kept.count()) / 500.0, measured.gigabytesPerSecond());
    assertFalse(bench.measurement(wrong, elements, SelectTask.FLAGGED_50).right());
  }

  @Test
  void linesOfACudaChainAreComparedByTheLargestSumAndHaveTheHostsTimeAlone() throws Exception {
    Selectable elements = new Selectable(ElementType.BYTE, 1000, 0);
    Selectable.Kept kept = elements.kept(SelectTask.CHAIN_50);
    long sum = 0;
    for (int i = 0; i < 1000; i++) {
      int x = elements.array().getSegment().get(ValueLayout.JAVA_BYTE, i);
      sum += x > 63 ? x : 0;
    }
    assertEquals(sum, kept.hash()); // none is negative: the largest is the last
    String line =
        "{\"record\":\"peer\",\"subject\":\"cub\",\"type\":\"byte\",\"op\":\"chain-50\",\"length\":1000,\"cache\":\"warm\",\"result\":\"%s\",\"hash\":\"%016x\",\"wall_ns\":[500]}";
    Measurement<SelectCase> measured =
        new SelectBench()
            .measurement(
                CudaPeers.fields(line.formatted(kept.count(), sum)), elements, SelectTask.CHAIN_50);
    assertTrue(measured.right());
    // Bytes are read and written, then read, and ints written and read.
    assertEquals((1000 + kept.count() * (1 + 1 + 4 + 4)) / 500.0, measured.gigabytesPerSecond());
  }

  @Test
  void sortWritesTableJsonAndPlot(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("sort.json");
    Path png = folder.resolve("sort.png");
    int code =
        bench(
            "sort",
            "--quick",
            "--engine",
            "jvm",
            "--types",
            "long,float,byte",
            "--ops",
            "sort,order,merge-sort,merge,segments-16,segments-short,segments-1000,segments-uneven",
            "--json",
            json.toString(),
            "--png",
            png.toString());
    assertEquals(0, code, () -> out + "" + err);
    List<String> lines = Files.readAllLines(json);
    assertEquals(1 + 2 * 3 * 4 * 9, lines.size()); // lengths, types, data, ops and the JDK's sort
    for (String line : lines.subList(1, lines.size())) {
      assertTrue(line.contains("\"right\":true"), line);
    }
    assertTrue(
        lines.stream()
            .anyMatch(
                line ->
                    line.contains("\"data\":\"ten-bits\",\"op\":\"order\",\"length\":4096")
                        && line.contains("\"bytes\":49152.0")), // longs, and ints out
        lines::toString);
    assertTrue(Files.exists(png));
  }

  @Test
  void sortRunsInTheEmulator() {
    int code =
        bench(
            "sort",
            "--quick",
            "--engine",
            "emulator",
            "--sizes",
            "300",
            "--types",
            "int",
            "--data",
            "uniform",
            "--peers",
            "none");
    assertEquals(0, code, () -> out + "" + err);
    List<String> right = out.toString().lines().filter(line -> line.endsWith("  right")).toList();
    assertEquals(2, right.size(), out::toString);
  }

  /** What sort.cu must have, too. */
  @Test
  void unevenSegmentsAreTensAndOne() {
    int[] offsets = SortTask.SEGMENTS_UNEVEN.offsets(75);
    assertArrayEquals(new int[] {0, 10, 20, 30, 75}, offsets);
    assertArrayEquals(new int[] {0, 16, 32, 40}, SortTask.SEGMENTS_16.offsets(40));
    assertArrayEquals(new int[] {0, 1, 9, 24, 30}, SortTask.SEGMENTS_SHORT.offsets(30));
  }

  /** The first value is what sort.cu must make, too. */
  @Test
  void linesOfTheCudaSortsBecomeMeasurements() throws Exception {
    Sortable keys = new Sortable(ElementType.FLOAT, 1000, Sortable.Data.UNIFORM);
    MemorySegment elements = keys.array().getSegment();
    assertEquals((int) 0xE220A8397B1DCDAFL, elements.get(ValueLayout.JAVA_FLOAT, 0));
    float[] sorted = elements.toArray(ValueLayout.JAVA_FLOAT);
    Arrays.sort(sorted);
    long hash = 0;
    for (int k = 0; k < sorted.length; k++) {
      hash += (long) Float.floatToRawIntBits(sorted[k]) * (2 * k + 1);
    }
    String line =
        "{\"record\":\"peer\",\"subject\":\"cub\",\"type\":\"float\",\"op\":\"sort\",\"data\":\"uniform\",\"length\":1000,\"cache\":\"warm\",\"hash\":\"%016x\",\"kernel_ns\":[500]}";
    SortBench bench = new SortBench();
    Map<String, String> right = CudaPeers.fields(line.formatted(hash));
    Map<String, String> wrong = CudaPeers.fields(line.formatted(hash + 1));
    assertTrue(bench.isAbout(right, keys, SortTask.SORT));
    assertFalse(bench.isAbout(right, keys, SortTask.ORDER));
    Measurement<SortCase> measured = bench.measurement(right, keys, SortTask.SORT);
    assertTrue(measured.right());
    assertEquals(8000 / 500.0, measured.gigabytesPerSecond());
    assertFalse(bench.measurement(wrong, keys, SortTask.SORT).right());
  }

  @Test
  void wrongUsageIsSaid() {
    assertEquals(2, bench("sort", "--engine", "jvm", "--data", "gauss"));
    assertEquals(2, bench("sort", "--engine", "jvm", "--peers", "loop"));
    assertEquals(2, bench("scan", "--engine", "jvm", "--block-sizes", "64"));
    assertEquals(2, bench("scan", "--engine", "jvm", "--variants", "--block-sizes", "63"));
    assertEquals(2, bench("reduce", "--ops", "affine"));
    assertEquals(2, bench("scan", "--engine", "jvm", "--ops", "affine", "--types", "int"));
    assertEquals(2, bench("scan", "--engine", "jvm", "--forms", "look-back"));
    assertEquals(2, bench("select", "--engine", "jvm", "--forms", "look-back"));
    assertEquals(2, bench("select", "--engine", "jvm", "--ops", "sum"));
    assertEquals(2, bench("scan", "--engine", "jvm", "--segments", "lengths"));
    assertEquals(2, bench("scan", "--engine", "jvm", "--peers", "tornado"));
    assertEquals(2, bench("reduce", "--sizes", "2^31"));
    assertEquals(2, bench("reduce", "--types", "byte"));
    assertEquals(2, bench("reduce", "--ops", "product"));
    assertEquals(2, bench("reduce", "--engine", "gpu"));
    assertEquals(2, bench("reduce", "--seconds", "0"));
    assertEquals(2, bench("reduce", "--engine", "jvm", "--peers", "tornado"));
    assertEquals(2, bench("reduce", "--json", "/no/such/folder/x.json"));
    assertEquals(2, bench("ladder", "--engine", "jvm", "--block-sizes", "63"));
    assertEquals(2, bench("ladder", "--variants", "unrolling-3"));
    assertTrue(err.toString().contains("63 is none of [64, 128, 256, 512, 1024]"), err::toString);
  }

  @Test
  void lengths() {
    Lengths lengths = new Lengths();
    assertEquals(List.of(1000, 1 << 20), lengths.convert("2^20,1000"));
    assertEquals(List.of(1024, 4096, 16384), lengths.convert("2^10..2^14"));
    assertEquals(List.of(1024, 4096), lengths.convert("2^10..2^13"));
    for (String wrong : List.of("", "0", "-4", "2^", "1e6", "2^40", "2^12..2^10", "3000000000")) {
      assertThrows(TypeConversionException.class, () -> lengths.convert(wrong), wrong);
    }
  }

  @Test
  void timing() {
    Timing timing = new Timing(new double[] {50, 10, 40, 20, 30});
    assertEquals(30, timing.median());
    assertEquals(10, timing.quantile(0));
    assertEquals(50, timing.quantile(1));
    assertEquals(50, timing.nanos()[0]);
    assertThrows(IllegalArgumentException.class, () -> new Timing(new double[0]));
  }

  @Test
  void workloadKnowsItsResults() {
    Workload workload = Workload.random(ElementType.INT, 100_000);
    int[] values = workload.array().getSegment().toArray(ValueLayout.JAVA_INT);
    assertEquals((int) Workload.splitmix64(99_999), values[99_999]);
    assertEquals(Arrays.stream(values).sum(), workload.expected(Operator.SUM));
    assertEquals(Arrays.stream(values).max().orElseThrow(), workload.expected(Operator.MAX));
    assertTrue(workload.isRight(Operator.SUM, Arrays.stream(values).sum()));
    int[] sums = values.clone();
    Arrays.parallelPrefix(sums, Integer::sum);
    assertEquals("", workload.scan(Operator.SUM).firstWrong(MemorySegment.ofArray(sums)));
    sums[70_000]++;
    sums[99_999]++;
    assertEquals(
        sums[70_000] + " at 70000",
        workload.scan(Operator.SUM).firstWrong(MemorySegment.ofArray(sums)));
    assertFalse(workload.isRight(Operator.SUM, Arrays.stream(values).sum() + 1));

    Workload floats = Workload.random(ElementType.FLOAT, 100_000);
    double sum = floats.expected(Operator.SUM).doubleValue();
    assertEquals(sum, floats.scan(Operator.SUM).total());
    float[] wrong = new float[100_000];
    Arrays.fill(wrong, Float.NaN);
    assertEquals("NaN at 0", floats.scan(Operator.SUM).firstWrong(MemorySegment.ofArray(wrong)));
    assertEquals(50_000, sum, 500);
    assertTrue(floats.isRight(Operator.SUM, sum * (1 + 1e-6)));
    assertFalse(floats.isRight(Operator.SUM, sum * (1 + 1e-4)));
    assertFalse(floats.isRight(Operator.SUM, Double.NaN));
  }

  /** The first two values that peers.cu must make, too, from the same formula. */
  @Test
  void splitmix64HasItsPublishedValues() {
    assertEquals(0xE220A8397B1DCDAFL, Workload.splitmix64(0));
    assertEquals(0x6E789E6AA1B965F4L, Workload.splitmix64(1));
  }

  @Test
  void linesOfTheCudaPeersBecomeMeasurements() throws Exception {
    Workload workload = Workload.random(ElementType.INT, 1024);
    String head = "{\"record\":\"peer\",\"type\":\"int\",\"length\":1024,";
    String right =
        "\"subject\":\"cub\",\"op\":\"sum\",\"cache\":\"cold\",\"result\":\"%s\",\"kernel_ns\":[5000,7000,6000],\"wall_ns\":[9000]}"
            .formatted(workload.expected(Operator.SUM));
    String wrong =
        "\"subject\":\"cuda-naive\",\"op\":\"sum\",\"cache\":\"warm\",\"result\":\"7\",\"kernel_ns\":[1]}";
    String copy =
        "\"subject\":\"copy\",\"work\":\"copy\",\"op\":\"copy\",\"cache\":\"cold\",\"result\":\"7\",\"kernel_ns\":[1024]}";
    List<Map<String, String>> lines =
        List.of(
            CudaPeers.fields(head + right),
            CudaPeers.fields(head + wrong),
            CudaPeers.fields(head + copy));
    ReduceBench bench = new ReduceBench();
    List<Measurement<PrimitiveCase>> measured =
        lines.stream()
            .filter(line -> bench.isAbout(line, workload, Operator.SUM))
            .map(line -> bench.measurement(line, workload, Operator.SUM))
            .toList();
    List<Measurement<PrimitiveCase>> copies =
        lines.stream().flatMap(line -> bench.copy(line).stream()).toList();
    assertEquals(List.of(true, false), measured.stream().map(Measurement::right).toList());
    assertEquals("cub (cold)", measured.get(0).label());
    assertEquals(4096 / 6000.0, measured.get(0).gigabytesPerSecond());
    assertEquals(1, copies.size());
    assertEquals(8.0, copies.getFirst().gigabytesPerSecond()); // read and written
    assertTrue(lines.stream().noneMatch(line -> bench.isAbout(line, workload, Operator.MAX)));
    assertEquals(
        2 * 4096 / 6000.0, // read and written
        bench
            .measurement(
                CudaPeers.fields(head + "\"work\":\"scan\"," + right), workload, Operator.SUM)
            .gigabytesPerSecond());

    PrimitiveReport report = new PrimitiveReport("bench", "engine", Map.of());
    measured.forEach(report::add);
    copies.forEach(report::add);
    assertFalse(report.isRight());
    assertEquals(8.0, report.copyCeiling());
    assertTrue(report.table().contains("WRONG: 7"), report::table);
    assertThrows(
        CudaPeers.UnavailableException.class, () -> CudaPeers.fields("terminate called after"));
  }

  @Test
  void jsonLine() {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("b", Report.number(Double.NaN));
    line.put("c", Report.number(1.5));
    line.put("e", new Timing(new double[] {3, 1, 2}).asMap());
    line.put("f", new Timing(new double[] {1e5 / 3}).asMap().get("all"));
    assertEquals(
        "{\"b\":null,\"c\":1.50000,\"e\":{\"median\":2,\"p10\":1,\"p90\":3,\"all\":[3,1,2]},"
            + "\"f\":[33333.3]}",
        Json.of(line));
  }
}
