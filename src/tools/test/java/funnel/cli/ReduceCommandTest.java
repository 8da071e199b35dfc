package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import funnel.Funnel;
import funnel.Sdk;
import funnel.io.ElementFile;
import funnel.io.FileChangedException;
import funnel.io.NpyWriter;
import funnel.io.StreamException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReduceCommandTest {

  private static final long SEED = 7;

  @TempDir Path folder;

  private Path raw(MemorySegment elements) throws IOException {
    return Files.write(folder.resolve("raw.bin"), elements.toArray(ValueLayout.JAVA_BYTE));
  }

  private static Map<String, Object> values(ElementFile file, int chunk, ReduceOp... ops)
      throws IOException {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      return FileReduction.run(funnel.over(file).pieces(chunk), file, List.of(ops));
    }
  }

  private Map<String, Object> values(
      MemorySegment elements, ElementType type, int chunk, ReduceOp... ops) throws IOException {
    try (ElementFile file = ElementFile.openRaw(raw(elements), type)) {
      return values(file, chunk, ops);
    }
  }

  /** One chunk, chunks that divide the length, and chunks that do not. */
  @ParameterizedTest
  @ValueSource(ints = {1 << 26, 1000, 999, 1})
  void intsEqualAPlainLoop(int chunk) throws IOException {
    int[] x = new Random(SEED).ints(3000, -100, 100).toArray();
    x[2900] = -500;
    x[2950] = -500;
    long sum = 0;
    int and = -1;
    int or = 0;
    int xor = 0;
    int product = 1;
    long squares = 0;
    for (int v : x) {
      sum += v;
      and &= v;
      or |= v;
      xor ^= v;
      product *= v;
      squares += (long) v * v;
    }
    Map<String, Object> values =
        values(MemorySegment.ofArray(x), ElementType.INT, chunk, ReduceOp.values());
    assertEquals(sum, values.get("sum"), "seed " + SEED);
    assertEquals(product, values.get("product"));
    assertEquals(-500, values.get("min"));
    assertEquals(Arrays.stream(x).max().orElseThrow(), values.get("max"));
    assertEquals(Map.of("min", -500, "max", values.get("max")), values.get("min-max"));
    assertEquals(Map.of("index", 2900L, "value", -500), values.get("argmin"));
    assertEquals(and, values.get("and"));
    assertEquals(or, values.get("or"));
    assertEquals(xor, values.get("xor"));
    assertEquals(squares, values.get("sum-of-squares"));
    assertEquals(Arrays.stream(x).filter(v -> v != 0).count(), values.get("count-nonzero"));
    double mean = sum / 3000.0;
    double deviations = Arrays.stream(x).mapToDouble(v -> (v - mean) * (v - mean)).sum();
    assertEquals(mean, (Double) values.get("mean"), 1e-12);
    assertEquals(deviations / 3000, (Double) values.get("variance"), 1e-9);
    assertEquals(deviations / 2999, (Double) values.get("sample-variance"), 1e-9);
  }

  @ParameterizedTest
  @ValueSource(ints = {1 << 26, 100, 1})
  void sumsOfLongsAreExact(int chunk) throws IOException {
    Random random = new Random(SEED);
    for (long[] x :
        List.of(
            random.longs(500).toArray(),
            LongStream.generate(() -> Long.MAX_VALUE).limit(500).toArray(),
            LongStream.generate(() -> Long.MIN_VALUE).limit(500).toArray(),
            new long[] {Long.MAX_VALUE, 1},
            new long[] {Long.MIN_VALUE, -1, 1})) {
      BigInteger sum =
          LongStream.of(x).mapToObj(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
      Map<String, Object> values =
          values(MemorySegment.ofArray(x), ElementType.LONG, chunk, ReduceOp.SUM);
      assertEquals(sum, values.get("sum"), "seed " + SEED);
    }
  }

  @Test
  void nanAndNegativeZeroAreAsInMathAcrossChunks() throws IOException {
    float[] zeros = {0f, -0f, 0f, -0f};
    Map<String, Object> values =
        values(
            MemorySegment.ofArray(zeros),
            ElementType.FLOAT,
            1,
            ReduceOp.MIN,
            ReduceOp.MAX,
            ReduceOp.ARGMIN,
            ReduceOp.ARGMAX,
            ReduceOp.COUNT_NONZERO);
    assertEquals(-0f, values.get("min"));
    assertEquals(0f, values.get("max"));
    assertEquals(Map.of("index", 1L, "value", -0f), values.get("argmin"));
    assertEquals(Map.of("index", 0L, "value", 0f), values.get("argmax"));
    assertEquals(0L, values.get("count-nonzero"));
    double[] nans = {1, Double.NaN, -3, Double.NaN};
    for (int chunk : new int[] {1, 2, 4}) {
      values =
          values(
              MemorySegment.ofArray(nans),
              ElementType.DOUBLE,
              chunk,
              ReduceOp.MIN,
              ReduceOp.MIN_MAX,
              ReduceOp.ARGMIN,
              ReduceOp.ARGMAX,
              ReduceOp.COUNT_NONZERO);
      assertEquals(Double.NaN, values.get("min"));
      assertEquals(Map.of("min", Double.NaN, "max", Double.NaN), values.get("min-max"));
      assertEquals(Map.of("index", 1L, "value", Double.NaN), values.get("argmin"));
      assertEquals(Map.of("index", 1L, "value", Double.NaN), values.get("argmax"));
      assertEquals(4L, values.get("count-nonzero"));
    }
  }

  @Test
  void sumsOfSquaresThatDoNotFitAreRefused() throws IOException {
    long[] x = {3_000_000_000L, 100_000_000L};
    assertEquals(
        9_010_000_000_000_000_000L,
        values(MemorySegment.ofArray(x), ElementType.LONG, 2, ReduceOp.SUM_OF_SQUARES)
            .get("sum-of-squares"));
    for (int chunk : new int[] {1, 2}) {
      long[] large = {3_000_000_000L, 500_000_000L};
      assertThrows(
          ArithmeticException.class,
          () ->
              values(
                  MemorySegment.ofArray(large), ElementType.LONG, chunk, ReduceOp.SUM_OF_SQUARES));
    }
  }

  @Test
  void everyOperationWorksOnEveryTypeThatItIsDefinedOn() throws IOException {
    byte[] bytes = new byte[80];
    new Random(SEED).nextBytes(bytes);
    for (ElementType type : ElementType.values()) {
      for (ReduceOp op : ReduceOp.values()) {
        boolean tooLarge = type == ElementType.LONG || type == ElementType.INT;
        if (op.refusal(type).isEmpty() && !(op == ReduceOp.SUM_OF_SQUARES && tooLarge)) {
          MemorySegment data = MemorySegment.ofArray(bytes);
          assertEquals(
              values(data, type, 80, op).keySet(),
              java.util.Set.of(op.toString()),
              type + " " + op);
        }
      }
    }
  }

  @Test
  void enginesAgreeBitForBit() throws IOException {
    Path file = folder.resolve("f.npy");
    double[] x = new Random(SEED).doubles(5000).toArray();
    NpyWriter.write(file, ElementType.DOUBLE, MemorySegment.ofArray(x), 50, 100);
    String[] outputs =
        List.of("jvm", "emulator").stream()
            .map(
                engine ->
                    Run.of(
                        "reduce",
                        file.toString(),
                        "--op=sum,mean,variance,argmax",
                        "--chunk=1234",
                        "--engine=" + engine,
                        "--json"))
            .peek(run -> assertEquals(ExitCode.OK, run.exitCode(), run.err()))
            .map(run -> run.out().replaceAll(",\"engine\".*", ""))
            .toArray(String[]::new);
    assertEquals(outputs[0], outputs[1]);
    assertTrue(outputs[0].contains("\"shape\":[50,100],\"fortranOrder\":false"), outputs[0]);
    assertTrue(outputs[0].contains("\"elements\":5000"), outputs[0]);
  }

  @Test
  void textNamesFileTypeAndEngine() throws IOException {
    Path file = raw(MemorySegment.ofArray(new int[] {3, 1, 4, 1, 5}));
    Run run =
        Run.of(
            "reduce", file.toString(), "--type", "INT32", "--op", "sum,argmin", "--engine", "jvm");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    List<String> lines = run.out().lines().toList();
    assertEquals(file + ": 5 int32 elements", lines.get(0));
    assertEquals("sum     14", lines.get(1));
    assertEquals("argmin  index 1, value 1", lines.get(2));
    assertTrue(run.err().matches("in .* s on JVM .* cores\\R"), run.err());
  }

  /** No output but one line on standard error, and the exit code. */
  private static void assertRefused(int exitCode, String message, String... arguments) {
    Run run = Run.of(arguments);
    assertEquals(exitCode, run.exitCode(), run.err());
    assertEquals("", run.out());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().startsWith("funnel reduce: "), run.err());
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void badInputIsNamed() throws IOException {
    Path odd = Files.write(folder.resolve("odd.bin"), new byte[5]);
    Path empty = Files.write(folder.resolve("empty.bin"), new byte[0]);
    Path npy = folder.resolve("a.npy");
    NpyWriter.write(npy, ElementType.BYTE, MemorySegment.ofArray(new byte[] {1, 2}), 2);
    Path cut = folder.resolve("cut.npy");
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(npy), 129));
    int failure = ExitCode.FAILURE;
    int usage = ExitCode.USAGE;
    assertRefused(failure, "no such file: nope", "reduce", "nope", "--type=int32");
    assertRefused(failure, "not a regular file", "reduce", folder.toString(), "--type=int32");
    assertRefused(
        failure, "[offset=4, expected size=8 bytes]", "reduce", odd.toString(), "--type=float32");
    assertRefused(failure, cut + ": truncated", "reduce", cut.toString());
    assertRefused(
        failure, "expected size=130 bytes", "reduce", cut.toString(), "--json", "--type=uint8");
    assertRefused(
        failure,
        empty + " is empty: min of an empty array",
        "reduce",
        empty.toString(),
        "--type=int32",
        "--op=sum,min",
        "--engine=jvm");
    assertRefused(usage, "give its type with --type", "reduce", odd.toString());
    assertRefused(usage, "contradicts", "reduce", npy.toString(), "--type=int32");
    assertRefused(usage, "argmin works on int32", "reduce", npy.toString(), "--op=argmin");
    assertRefused(
        usage, "xor is bitwise", "reduce", empty.toString(), "--op=xor", "--type=float64");
    assertRefused(usage, "'foo' is none of sum,", "reduce", npy.toString(), "--op=sum,foo");
    assertRefused(usage, "--chunk=0 is out of range", "reduce", npy.toString(), "--chunk=0");
    assertRefused(usage, "--type", "reduce", npy.toString(), "--type=int16");
  }

  @Test
  void emptyFilesHaveTheIdentity() throws IOException {
    Path empty = Files.write(folder.resolve("empty.bin"), new byte[0]);
    for (FileType type : FileType.values()) {
      Run run =
          Run.of(
              "reduce",
              empty.toString(),
              "--type=" + type,
              "--op=sum,product,count-nonzero",
              "--engine=jvm",
              "--json");
      assertEquals(ExitCode.OK, run.exitCode(), run.err());
      String expected =
          type.element().isFloating()
              ? "{\"sum\":0.0,\"product\":1.0,\"count-nonzero\":0}"
              : "{\"sum\":0,\"product\":1,\"count-nonzero\":0}";
      assertTrue(run.out().contains("\"results\":" + expected), run.out());
    }
  }

  @Test
  void filesThatAreWrittenMeanwhileAreRefused() throws IOException {
    Path path = raw(MemorySegment.ofArray(new long[1 << 16]));
    try (Funnel funnel = Funnel.open(Target.JVM);
        ElementFile file = ElementFile.openRaw(path, ElementType.LONG)) {
      assertThrows(
          FileChangedException.class,
          () ->
              FileReduction.run(
                  funnel.over(file).pieces(1 << 14).listener((done, total) -> grow(path)),
                  file,
                  List.of(ReduceOp.SUM)));
    }
  }

  @Test
  void filesThatAreCutOffMeanwhileAreRefused() throws IOException {
    Path path = raw(MemorySegment.ofArray(new long[1 << 18]));
    try (Funnel funnel = Funnel.open(Target.JVM);
        ElementFile file = ElementFile.openRaw(path, ElementType.LONG)) {
      StreamException e =
          assertThrows(
              StreamException.class,
              () ->
                  FileReduction.run(
                      funnel.over(file).pieces(1 << 16).listener((done, total) -> resize(path, 0)),
                      file,
                      List.of(ReduceOp.SUM)));
      assertInstanceOf(FileChangedException.class, e.getCause());
      assertEquals(1 << 16, e.position());
      assertTrue(e.getMessage().contains("size was 2097152 bytes, is 0"), e.getMessage());
      assertEquals(6, funnel.sum(new int[] {1, 2, 3}));
    }
  }

  private static void grow(Path path) {
    resize(path, path.toFile().length() + 8);
  }

  private static void resize(Path path, long size) {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(size);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** More elements than an int can count, in a file that is a hole but for its last bytes. */
  @Test
  void filesMayHaveMoreElementsThanAnArray() throws IOException {
    Path path = folder.resolve("large.bin");
    long length = (1L << 31) + 1000;
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length);
      file.seek(length - 3);
      file.write(new byte[] {(byte) 200, 100, 1});
    }
    Run run =
        Run.of("reduce", path.toString(), "--type=uint8", "--op=sum", "--engine=jvm", "--json");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    assertTrue(run.out().contains("\"elements\":2147484648"), run.out());
    assertTrue(run.out().contains("\"results\":{\"sum\":301}"), run.out());
    assertTrue(run.out().contains("\"chunks\":33"), run.out());
  }

  @Test
  void withoutADevice_saysOnceWhyAndWhatToDo() throws IOException {
    assumeFalse(Sdk.isHere(), "TornadoVM is here");
    Path path = Files.write(folder.resolve("four.bin"), new byte[4]);
    Run run = Run.of("reduce", path.toString(), "--type=uint8", "--op=sum", "--engine=tornado");
    assertEquals(ExitCode.UNAVAILABLE, run.exitCode());
    assertTrue(run.err().contains("reduce: no device through TornadoVM: "), run.err());
    assertFalse(run.err().contains("is not available"), run.err());
    assertTrue(run.err().strip().endsWith("(funnel doctor says what is missing)"), run.err());
  }

  @Test
  void indicesAreThoseOfTheFile() throws IOException {
    Path path = folder.resolve("sparse.bin");
    int length = (1 << 26) + 100;
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length * 4L);
      file.seek((length - 7) * 4L);
      file.write(new byte[] {1, 0, 0, 0});
    }
    Run run = Run.of("reduce", path.toString(), "--type=int32", "--op=argmax", "--engine=jvm");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    assertTrue(run.out().contains("index %s, value 1".formatted(length - 7)), run.out());
    assertTrue(run.err().contains("2 chunks of 67,108,864"), run.err());
    assertFalse(run.out().contains("Fortran"), run.out());
  }
}
