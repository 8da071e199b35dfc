package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.io.ElementFile;
import funnel.io.ElementOutput;
import funnel.io.FileChangedException;
import funnel.io.NpyWriter;
import funnel.io.StreamException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Scan;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScanCommandTest {

  private static final long SEED = 11;

  @TempDir Path folder;

  private Path out() {
    return folder.resolve("out.npy");
  }

  private Path raw(MemorySegment elements) throws IOException {
    return Files.write(folder.resolve("raw.bin"), elements.toArray(ValueLayout.JAVA_BYTE));
  }

  /** Whatever happened, nothing half-written may stay. */
  @AfterEach
  void noPartIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          List.of(),
          files.filter(file -> file.getFileName().toString().endsWith(".part")).toList());
    }
  }

  private Run scan(Path file, String... arguments) {
    List<String> all = new ArrayList<>(List.of("scan", file.toString(), "--out=" + out()));
    all.addAll(List.of(arguments));
    if (Arrays.stream(arguments).noneMatch(argument -> argument.startsWith("--engine"))) {
      all.add("--engine=jvm");
    }
    return Run.of(all.toArray(String[]::new));
  }

  /** The output's elements, copied to the heap. */
  private MemorySegment scanned(ElementType type, Path file, String... arguments)
      throws IOException {
    Run run = scan(file, arguments);
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    try (ElementFile output = ElementFile.open(out())) {
      assertEquals(type, output.type());
      assertEquals(List.of(output.length()), output.shape());
      byte[] bytes = output.piece(0, output.length()).toArray(ValueLayout.JAVA_BYTE);
      return MemorySegment.ofArray(aligned(bytes));
    }
  }

  private static long[] aligned(byte[] bytes) {
    long[] longs = new long[Math.ceilDiv(bytes.length, Long.BYTES)];
    MemorySegment.copy(
        MemorySegment.ofArray(bytes), 0, MemorySegment.ofArray(longs), 0, bytes.length);
    return longs;
  }

  private int[] ints(Path file, int length, String... arguments) throws IOException {
    return scanned(ElementType.INT, file, with(arguments, "--to=int32"))
        .asSlice(0, (long) length * Integer.BYTES)
        .toArray(ValueLayout.JAVA_INT);
  }

  /** One chunk, chunks that divide the length, and chunks that do not. */
  @ParameterizedTest
  @CsvSource({
    "16777216, jvm",
    "1000, jvm",
    "999, jvm",
    "1, jvm",
    "16777216, emulator",
    "1000, emulator",
    "999, emulator"
  })
  void intsEqualAPlainLoop(int chunk, String engine) throws IOException {
    int[] x = new Random(SEED).ints(3000).toArray();
    Path file = raw(MemorySegment.ofArray(x));
    String[] common = {"--type=int32", "--chunk=" + chunk, "--engine=" + engine};
    int sum = 0;
    int before = 5;
    int[] sums = new int[x.length];
    int[] maxima = new int[x.length];
    for (int i = 0; i < x.length; i++) {
      sum += x[i];
      sums[i] = sum;
      maxima[i] = before;
      before = Math.max(before, x[i]);
    }
    assertArrayEquals(sums, ints(file, 3000, common), "seed " + SEED);
    assertArrayEquals(
        maxima,
        ints(file, 3000, with(common, "--force", "--op=max", "--exclusive", "--init=5")),
        "seed " + SEED);
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
  }

  @ParameterizedTest
  @ValueSource(strings = {"jvm", "emulator"})
  void everyTypeAndAccumulatorIsScannedInChunks(String engine) throws IOException {
    byte[] x = new byte[800];
    new Random(SEED).nextBytes(x);
    Path file = raw(MemorySegment.ofArray(x));
    String[] common = {"--chunk=37", "--engine=" + engine, "--force"};
    MemorySegment data = MemorySegment.ofArray(aligned(x));

    int[] bytes = ints(file, 800, with(common, "--type=uint8"));
    MemorySegment widened =
        scanned(ElementType.LONG, file, with(common, "--type=uint8", "--to=int64"));
    int sum = 0;
    for (int i = 0; i < 800; i++) {
      sum += x[i] & 0xff;
      assertEquals(sum, bytes[i]);
      assertEquals(sum, widened.getAtIndex(ValueLayout.JAVA_LONG, i));
    }

    MemorySegment longs =
        scanned(ElementType.LONG, file, with(common, "--type=int32", "--to=int64"));
    long total = 0;
    for (int i = 0; i < 200; i++) {
      total += data.getAtIndex(ValueLayout.JAVA_INT, i);
      assertEquals(total, longs.getAtIndex(ValueLayout.JAVA_LONG, i));
    }

    longs = scanned(ElementType.LONG, file, with(common, "--type=int64", "--op=xor"));
    long xor = 0;
    for (int i = 0; i < 100; i++) {
      xor ^= data.getAtIndex(ValueLayout.JAVA_LONG, i);
      assertEquals(xor, longs.getAtIndex(ValueLayout.JAVA_LONG, i));
    }
  }

  /** Sums of small multiples of 1/8, which do not round. */
  @ParameterizedTest
  @ValueSource(strings = {"jvm", "emulator"})
  void floatsAreScannedInChunks(String engine) throws IOException {
    float[] x = new float[500];
    double[] y = new double[500];
    Random random = new Random(SEED);
    for (int i = 0; i < x.length; i++) {
      x[i] = random.nextInt(-1000, 1000) / 8f;
      y[i] = x[i];
    }
    String[] common = {"--chunk=64", "--engine=" + engine, "--force"};
    Path file = folder.resolve("f.npy");
    NpyWriter.write(file, ElementType.FLOAT, MemorySegment.ofArray(x), 5, 100);
    MemorySegment floats =
        scanned(ElementType.FLOAT, file, with(common, "--exclusive", "--to=float32"));
    MemorySegment doubles = scanned(ElementType.DOUBLE, file, with(common, "--to=float64"));
    Path second = folder.resolve("d.npy");
    NpyWriter.write(second, ElementType.DOUBLE, MemorySegment.ofArray(y), 500);
    MemorySegment minima = scanned(ElementType.DOUBLE, second, with(common, "--op=min"));
    float sum = 0;
    double min = Double.POSITIVE_INFINITY;
    for (int i = 0; i < x.length; i++) {
      assertEquals(sum, floats.getAtIndex(ValueLayout.JAVA_FLOAT, i));
      sum += x[i];
      assertEquals(sum, doubles.getAtIndex(ValueLayout.JAVA_DOUBLE, i));
      min = Math.min(min, y[i]);
      assertEquals(min, minima.getAtIndex(ValueLayout.JAVA_DOUBLE, i));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 100})
  void nanStaysAcrossChunksAndNegativeZeroIsSmaller(int chunk) throws IOException {
    double[] x = {3, Double.NaN, -3, 8, Double.NEGATIVE_INFINITY};
    Path file = raw(MemorySegment.ofArray(x));
    for (String op : new String[] {"sum", "product", "min", "max"}) {
      MemorySegment results =
          scanned(
              ElementType.DOUBLE,
              file,
              "--type=float64",
              "--op=" + op,
              "--chunk=" + chunk,
              "--force");
      assertEquals(3.0, results.getAtIndex(ValueLayout.JAVA_DOUBLE, 0));
      for (int i = 1; i < x.length; i++) {
        assertEquals(Double.NaN, results.getAtIndex(ValueLayout.JAVA_DOUBLE, i), op + " " + i);
      }
    }
    file = raw(MemorySegment.ofArray(new float[] {0f, -0f, 0f}));
    MemorySegment minima =
        scanned(
            ElementType.FLOAT, file, "--type=float32", "--op=min", "--chunk=" + chunk, "--force");
    float[] expected = {0f, -0f, -0f};
    assertArrayEquals(expected, minima.asSlice(0, 12).toArray(ValueLayout.JAVA_FLOAT));
  }

  @Test
  void enginesAgreeBitForBitChunkByChunk() throws IOException {
    Path file = folder.resolve("f.npy");
    double[] x = new Random(SEED).doubles(20_000).toArray();
    NpyWriter.write(file, ElementType.DOUBLE, MemorySegment.ofArray(x), 200, 100);
    String[] outputs = new String[2];
    byte[][] files = new byte[2][];
    for (int k = 0; k < 2; k++) {
      Run run =
          scan(
              file,
              "--chunk=12345",
              "--engine=" + (k == 0 ? "jvm" : "emulator"),
              "--json",
              "--force");
      assertEquals(ExitCode.OK, run.exitCode(), run.err());
      outputs[k] = run.out().replaceAll(",\"engine\".*", "");
      files[k] = Files.readAllBytes(out());
    }
    assertEquals(outputs[0], outputs[1]);
    assertArrayEquals(files[0], files[1]);
    assertTrue(outputs[0].contains("\"shape\":[200,100],\"fortranOrder\":false"), outputs[0]);
    assertTrue(outputs[0].contains("\"op\":\"sum\",\"inclusive\":true,\"init\":0.0"), outputs[0]);
  }

  @Test
  void jsonNamesChunksAndTotal() throws IOException {
    Path file = raw(MemorySegment.ofArray(new int[] {3, 1, 4, 1, 5}));
    Run run =
        scan(
            file, "--type=int32", "--exclusive", "--init=100", "--chunk=2", "--to=int64", "--json");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    assertEquals(1, run.out().lines().count());
    assertTrue(run.out().contains("\"type\":\"int32\",\"elements\":5,\"shape\":[5]"), run.out());
    assertTrue(
        run.out()
            .contains(
                "\"op\":\"sum\",\"inclusive\":false,\"init\":100,\"first\":[100,103,104,108,109],\"out\":\"%s\",\"outType\":\"int64\",\"total\":114,\"engine\":"
                    .formatted(out())),
        run.out());
    assertTrue(run.out().contains("\"chunk\":2,\"chunks\":3,\"seconds\":"), run.out());
  }

  @Test
  void textNamesFileOutputTotalAndEngine() throws IOException {
    Path file = raw(MemorySegment.ofArray(new int[] {3, 1, 4, 1, 5}));
    Run run = scan(file, "--type", "INT32", "--op", "MAX", "--chunk=4");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    List<String> lines = run.out().lines().toList();
    assertEquals(file + ": 5 int32 elements", lines.get(0));
    assertEquals(out() + ": inclusive max scan as int32", lines.get(1));
    assertEquals("first  3, 3, 4, 4, 5", lines.get(2));
    assertEquals("total  5", lines.get(3));
    assertTrue(run.err().matches("in .* s on JVM .* cores, 2 chunks of 4\\R"), run.err());
  }

  @Test
  void emptyFilesHaveEmptyScansAndTheInitialValueAsTotal() throws IOException {
    Path empty = Files.write(folder.resolve("empty.bin"), new byte[0]);
    for (FileType type : FileType.values()) {
      Run run = scan(empty, "--type=" + type, "--init=7", "--json", "--force");
      assertEquals(ExitCode.OK, run.exitCode(), run.err());
      assertTrue(run.out().contains("\"total\":7"), run.out());
      try (ElementFile output = ElementFile.open(out())) {
        assertEquals(List.of(0L), output.shape());
      }
    }
  }

  /** No output but one line on standard error, and the exit code; no file either. */
  private void assertRefused(int exitCode, String message, Path file, String... arguments) {
    Run run = scan(file, arguments);
    assertEquals(exitCode, run.exitCode(), run.err());
    assertEquals("", run.out());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().startsWith("funnel scan: "), run.err());
    assertTrue(run.err().contains(message), run.err());
    assertFalse(Files.exists(out()));
  }

  @Test
  void badInputIsNamed() throws IOException {
    Path odd = Files.write(folder.resolve("odd.bin"), new byte[5]);
    Path some = Files.write(folder.resolve("some.bin"), new byte[16]);
    Path npy = folder.resolve("a.npy");
    NpyWriter.write(npy, ElementType.BYTE, MemorySegment.ofArray(new byte[] {1, 2}), 2);
    Path cut = folder.resolve("cut.npy");
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(npy), 129));
    int failure = ExitCode.FAILURE;
    int usage = ExitCode.USAGE;
    assertRefused(failure, "no such file: nope", Path.of("nope"), "--type=int32");
    assertRefused(failure, "not a regular file", folder, "--type=int32");
    assertRefused(failure, "[offset=4, expected size=8 bytes]", odd, "--type=float32");
    assertRefused(failure, cut + ": truncated", cut);
    assertRefused(usage, "give its type with --type", odd);
    assertRefused(usage, "contradicts", npy, "--type=int32");
    assertRefused(usage, "xor is bitwise", some, "--op=xor", "--type=float64");
    assertRefused(usage, "--op", some, "--type=int32", "--op=mean");
    assertRefused(usage, "--chunk=0 is out of range", npy, "--chunk=0");
    assertRefused(usage, "mutually exclusive", npy, "--inclusive", "--exclusive");
    assertRefused(
        usage,
        "no scan of int32 has results of float64: --to takes int32, int64",
        some,
        "--type=int32",
        "--to=float64");
    assertRefused(usage, "--to takes int64", some, "--type=int64", "--to=int32");
  }

  @Test
  void initialValuesThatDoNotFitAreRefused() throws IOException {
    Path some = Files.write(folder.resolve("some.bin"), new byte[16]);
    int usage = ExitCode.USAGE;
    assertRefused(
        usage, "--init 3e9 does not fit int32", some, "--type=int32", "--to=int32", "--init=3e9");
    assertRefused(usage, "--init 1.5 does not fit int64", some, "--type=int64", "--init=1.5");
    assertRefused(
        usage,
        "--init 1e39 does not fit float32",
        some,
        "--type=float32",
        "--to=float32",
        "--init=1e39");
    assertRefused(usage, "--init 'x' is no number", some, "--type=float64", "--init=x");
    String odd = "--init=9007199254740993"; // 2^53 + 1
    String doubles = "--type=float64";
    assertRefused(usage, "--init 9007199254740993 does not fit float64", some, doubles, odd);
    assertRefused(
        usage, "16777217 does not fit", some, "--type=float32", "--to=float32", "--init=-16777217");
    MemorySegment results =
        scanned(ElementType.LONG, some, "--type=int32", "--to=int64", "--init=3e9");
    assertEquals(3_000_000_000L, results.getAtIndex(ValueLayout.JAVA_LONG, 0));
    results =
        scanned(ElementType.FLOAT, some, "--type=float32", "--to=float32", "--init=0.1", "--force");
    assertEquals(0.1f, results.getAtIndex(ValueLayout.JAVA_FLOAT, 0));
    results =
        scanned(
            ElementType.FLOAT,
            some,
            "--type=float32",
            "--to=float32",
            "--init=-Infinity",
            "--force");
    assertEquals(Float.NEGATIVE_INFINITY, results.getAtIndex(ValueLayout.JAVA_FLOAT, 3));
    results = scanned(ElementType.DOUBLE, some, doubles, "--init=1e23", "--force");
    assertEquals(1e23, results.getAtIndex(ValueLayout.JAVA_DOUBLE, 0));
    results = scanned(ElementType.DOUBLE, some, doubles, "--exclusive", "--init=-0", "--force");
    assertEquals(-0.0, results.getAtIndex(ValueLayout.JAVA_DOUBLE, 0));
  }

  @Test
  void outputsAreOnlyReplacedOnDemand() throws IOException {
    Path file = raw(MemorySegment.ofArray(new int[] {1, 2}));
    Files.write(out(), new byte[] {42});
    Run run = scan(file, "--type=int32");
    assertEquals(ExitCode.USAGE, run.exitCode());
    assertTrue(run.err().contains("exists: --force replaces it"), run.err());
    assertArrayEquals(new byte[] {42}, Files.readAllBytes(out()));
    assertArrayEquals(new int[] {1, 3}, ints(file, 2, "--type=int32", "--force"));
  }

  @Test
  void placesThatCannotBeWrittenAreNamed() throws IOException {
    Path file = raw(MemorySegment.ofArray(new int[] {1, 2}));
    for (String place : List.of(folder.resolve("no/out.npy").toString(), folder.toString())) {
      Run run = Run.of("scan", file.toString(), "--type=int32", "--out=" + place, "--force");
      assertEquals(ExitCode.USAGE, run.exitCode(), run.err());
      assertTrue(
          run.err().matches("(?s).*(there is no folder|is not a regular file).*"), run.err());
    }
  }

  /** The input may be the output, and a link stays one. */
  @Test
  void theInputMayBeReplaced() throws IOException {
    NpyWriter.write(out(), ElementType.INT, MemorySegment.ofArray(new int[] {1, 2, 3}), 3);
    assertArrayEquals(new int[] {1, 3, 6}, ints(out(), 3, "--force", "--chunk=1"));
    Path link = Files.createSymbolicLink(folder.resolve("link.npy"), out());
    Run run =
        Run.of(
            "scan",
            out().toString(),
            "--out=" + link,
            "--force",
            "--engine=jvm",
            "--json",
            "--to=int32");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    assertTrue(Files.isSymbolicLink(link));
    assertTrue(run.out().contains("\"total\":10"), run.out());
    assertArrayEquals(new int[] {1, 4, 10}, ints(out(), 3, "--force", "--op=max"));
  }

  private void scanWhile(Path path, Consumer<Path> meanwhile) throws IOException {
    try (Funnel funnel = Funnel.open(Target.JVM);
        ElementFile file = ElementFile.openRaw(path, ElementType.LONG);
        ElementOutput output = ElementOutput.create(out(), ElementType.LONG, file.length())) {
      var _ =
          funnel
              .over(file)
              .pieces(1 << 14)
              .listener((done, total) -> meanwhile.accept(path))
              .scan(Scan.inclusive(Operator.SUM), output);
    }
  }

  @Test
  void filesThatChangeMeanwhileAreRefused() throws IOException {
    Path path = raw(MemorySegment.ofArray(new long[1 << 16]));
    assertThrows(
        FileChangedException.class, () -> scanWhile(path, file -> resize(file, (1 << 19) + 8)));
    assertFalse(Files.exists(out()));
    Path again = raw(MemorySegment.ofArray(new long[1 << 18]));
    StreamException e =
        assertThrows(StreamException.class, () -> scanWhile(again, file -> resize(file, 0)));
    assertInstanceOf(FileChangedException.class, e.getCause());
    assertFalse(Files.exists(out()));
  }

  /** A channel closes itself when its thread is interrupted. */
  @Test
  void anInterruptedScanLeavesNothing() throws IOException {
    Path path = raw(MemorySegment.ofArray(new long[1 << 16]));
    assertThrows(
        IOException.class, () -> scanWhile(path, file -> Thread.currentThread().interrupt()));
    assertTrue(Thread.interrupted());
    assertFalse(Files.exists(out()));
  }

  private static void resize(Path path, long size) {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Two chunks of the default length; the file is a hole but for its ends. */
  @Test
  void theTotalGoesFromChunkToChunk() throws IOException {
    Path path = folder.resolve("sparse.bin");
    int length = ScanCommand.CHUNK + 100;
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length);
      file.write(200);
      file.seek(length - 3L);
      file.write(new byte[] {100, 1, 2});
    }
    Run run = scan(path, "--type=uint8", "--to=int32");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    assertTrue(run.err().contains("2 chunks of 16,777,216"), run.err());
    try (ElementFile output = ElementFile.open(out())) {
      assertEquals(length, output.length());
      int[] last = new int[5];
      MemorySegment.ofArray(last).copyFrom(output.piece(length - 5L, length));
      assertArrayEquals(new int[] {200, 200, 300, 301, 303}, last);
      MemorySegment.ofArray(last).copyFrom(output.piece(0, 5));
      assertArrayEquals(new int[] {200, 200, 200, 200, 200}, last);
    }
  }
}
