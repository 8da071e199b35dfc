package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.io.ElementFile;
import funnel.io.NpyWriter;
import funnel.operator.ElementType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectCommandTest {

  private static final long SEED = 12;

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

  private static Run run(String command, Path file, String... arguments) {
    List<String> all = new ArrayList<>(List.of(command, file.toString()));
    all.addAll(List.of(arguments));
    if (Arrays.stream(arguments).noneMatch(argument -> argument.startsWith("--engine"))) {
      all.add("--engine=jvm");
    }
    return Run.of(all.toArray(String[]::new));
  }

  private static Run done(String command, Path file, String... arguments) {
    Run run = run(command, file, arguments);
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    return run;
  }

  private static byte[] elements(ElementType type, Path output) throws IOException {
    try (ElementFile file = ElementFile.open(output)) {
      assertEquals(type, file.type());
      assertEquals(List.of(file.length()), file.shape());
      assertEquals(0, file.header().orElseThrow().dataOffset() % 64);
      return file.piece(0, file.length()).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static byte[] bytes(long... values) {
    return MemorySegment.ofArray(values).toArray(ValueLayout.JAVA_BYTE);
  }

  /** One chunk, chunks that divide the length, and chunks that do not. */
  @ParameterizedTest
  @CsvSource({
    "INT, 16777216, jvm",
    "INT, 2000, emulator",
    "INT, 1, jvm",
    "BYTE, 999, jvm",
    "LONG, 2000, emulator",
    "FLOAT, 77, jvm",
    "DOUBLE, 999, jvm"
  })
  void elementsAndPositionsEqualAPlainLoop(ElementType type, int chunk, String engine)
      throws IOException {
    int length = 3000;
    byte[] x = new byte[length * type.bytes()];
    new Random(SEED).nextBytes(x);
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    List<Long> places = new ArrayList<>();
    MemorySegment segment = MemorySegment.ofArray(x);
    for (int i = 0; i < length; i++) {
      boolean is =
          switch (type) {
            case BYTE -> (x[i] & 0xff) >= 100 && (x[i] & 0xff) <= 200;
            case INT -> isBetween(segment.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i));
            case LONG -> isBetween(segment.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i));
            case FLOAT -> isBetween(segment.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i));
            case DOUBLE -> isBetween(segment.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i));
          };
      if (is) {
        kept.write(x, i * type.bytes(), type.bytes());
        places.add((long) i);
      }
    }
    Path file = raw(segment);
    String where = type == ElementType.BYTE ? "100..200" : "-1000000000..1000000000";
    String[] common = {
      "--type=" + FileType.of(type),
      "--where=" + where,
      "--chunk=" + chunk,
      "--engine=" + engine,
      "--out=" + out(),
      "--force"
    };
    done("select", file, common);
    assertArrayEquals(kept.toByteArray(), elements(type, out()), "seed " + SEED);
    List<String> all = new ArrayList<>(List.of(common));
    all.add("--positions");
    done("select", file, all.toArray(String[]::new));
    long[] expected = places.stream().mapToLong(place -> place).toArray();
    assertArrayEquals(bytes(expected), elements(ElementType.LONG, out()), "seed " + SEED);
  }

  private static boolean isBetween(double value) {
    return value >= -1e9 && value <= 1e9;
  }

  @Test
  void bitsStay() throws IOException {
    long[] bits = {0xfff8_0000_0000_1234L, Long.MIN_VALUE, 0, 0x7ff8_0000_0000_0001L, 1};
    Path file = raw(MemorySegment.ofArray(bits));
    done("select", file, "--type=float64", "--where=nan or == 0", "--chunk=2", "--out=" + out());
    assertArrayEquals(bytes(Arrays.copyOf(bits, 4)), elements(ElementType.DOUBLE, out()));
  }

  @Test
  void textAndJsonSayWhatIsKept() throws IOException {
    Path file = folder.resolve("a.npy");
    int[] x = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
    NpyWriter.write(file, ElementType.INT, MemorySegment.ofArray(x), 3, 4);
    Run text = done("select", file, "--where", ">= 3", "--chunk=5");
    List<String> lines = text.out().lines().toList();
    assertEquals("kept   9 of 12, 75.0 %", lines.get(1));
    assertEquals("first  3, 4, 5, 9, 6, 5, 3, 5, ...", lines.get(2));
    assertTrue(text.err().matches("in .* s on JVM .* cores, 3 chunks of 5\\R"), text.err());
    Run json =
        done("select", file, "--where=> 5", "--positions", "--json", "--out=" + out(), "--chunk=5");
    assertTrue(
        json.out()
            .contains(
                "\"where\":\"> 5\",\"positions\":true,\"kept\":3,\"first\":[5,7,11],\"out\":\"%s\",\"outType\":\"int64\",\"engine\":"
                    .formatted(out())),
        json.out());
    text = done("select", file, "--where=== 7");
    assertEquals("kept   0 of 12, 0.0 %", text.out().lines().toList().get(1));
    assertEquals(2, text.out().lines().count());
  }

  @Test
  void emptyFilesHaveEmptyOutputs() throws IOException {
    Path empty = Files.write(folder.resolve("empty.bin"), new byte[0]);
    Path counts = folder.resolve("counts.npy");
    for (FileType type : FileType.values()) {
      Run run = done("select", empty, "--type=" + type, "--where=>1", "--out=" + out(), "--force");
      assertTrue(run.out().contains("kept   0 of 0, 0.0 %"), run.out());
      assertEquals(0, elements(type.element(), out()).length);
      String into = "--counts=" + counts;
      done("unique", empty, "--type=" + type, "--out=" + out(), into, "--force");
      assertEquals(0, elements(type.element(), out()).length);
      assertEquals(0, elements(ElementType.LONG, counts).length);
    }
  }

  /** No output but one line on standard error, and the exit code; no file either. */
  private void assertRefused(int exitCode, String message, String command, String... arguments)
      throws IOException {
    Path some = Files.write(folder.resolve("some.bin"), new byte[16]);
    Run run = run(command, some, arguments);
    assertEquals(exitCode, run.exitCode(), run.err());
    assertEquals("", run.out());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().startsWith("funnel " + command + ": "), run.err());
    assertTrue(run.err().contains(message), run.err());
    assertFalse(Files.exists(out()));
  }

  @Test
  void badInputIsNamed() throws IOException {
    int usage = ExitCode.USAGE;
    String type = "--type=int32";
    String out = "--out=" + out();
    assertRefused(usage, "Missing required option: '--where", "select", type);
    assertRefused(
        usage,
        "--where '> x' at character 3: expected a number, found 'x'",
        "select",
        type,
        out,
        "--where=> x");
    assertRefused(
        usage, "at character 1: there is no nan in int32", "select", type, out, "--where=nan");
    assertRefused(usage, "give its type with --type", "select", "--where=>1", out);
    assertRefused(usage, "there is no folder", "select", type, "--where=>1", "--out=no/such/file");
    assertRefused(usage, "there is no folder", "unique", type, "--counts=no/such/file");
    assertRefused(usage, "name two files", "unique", type, out, "--counts=" + out());
  }

  @Test
  void outputsThatAreThereStayUnlessForced() throws IOException {
    Path file = raw(MemorySegment.ofArray(new int[] {1, 1, 2}));
    Files.write(out(), new byte[] {7});
    String out = "--out=" + out();
    List<Run> runs =
        List.of(
            run("select", file, "--type=int32", "--where=>1", out),
            run("unique", file, "--type=int32", out),
            run("unique", file, "--type=int32", "--counts=" + out()));
    for (Run run : runs) {
      assertEquals(ExitCode.USAGE, run.exitCode());
      assertTrue(run.err().contains("exists: --force replaces it"), run.err());
    }
    assertArrayEquals(new byte[] {7}, Files.readAllBytes(out()));
  }

  /** Runs that end with a chunk, go on into the next one, and over several. */
  @ParameterizedTest
  @CsvSource({
    "INT, 16777216, jvm",
    "INT, 1, jvm",
    "INT, 7, jvm",
    "BYTE, 100, jvm",
    "BYTE, 1100, emulator",
    "LONG, 99, jvm",
    "FLOAT, 3, jvm",
    "DOUBLE, 100, jvm",
    "DOUBLE, 1100, emulator"
  })
  void runsEqualAPlainLoop(ElementType type, int chunk, String engine) throws IOException {
    Random random = new Random(SEED);
    double[] kinds = {0.0, -0.0, Double.NaN, Double.longBitsToDouble(0xfff8_0000_0000_1234L), 5};
    int length = chunk < 10 ? 600 : 3000;
    Object[] boxes = new Object[length];
    byte[] x = new byte[length * type.bytes()];
    MemorySegment segment = MemorySegment.ofArray(x);
    for (int i = 0, left = 0, kind = 0; i < length; i++) {
      if (left-- == 0) {
        left = random.nextInt(random.nextInt(4) == 0 ? 350 : 3);
        kind = random.nextInt(kinds.length);
      } else if (random.nextInt(4) == 0 && (kind == 2 || kind == 3)) {
        kind = 5 - kind; // another NaN
      }
      boxes[i] =
          switch (type) {
            case BYTE -> x[i] = (byte) (kind + 250);
            case INT -> kind;
            case LONG -> (long) kind << 40;
            case FLOAT -> (float) kinds[kind];
            case DOUBLE -> kinds[kind];
          };
      switch (boxes[i]) {
        case Integer v -> segment.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i, v);
        case Long v -> segment.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i, v);
        case Float v -> {
          segment.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, v);
          if (Float.isNaN(v)) {
            segment.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i, kind == 2 ? 0x7fc00000 : -1);
          }
        }
        case Double v -> segment.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i, v);
        default -> {}
      }
    }
    ByteArrayOutputStream heads = new ByteArrayOutputStream();
    List<Long> counts = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      if (i == 0 || !boxes[i].equals(boxes[i - 1])) {
        heads.write(x, i * type.bytes(), type.bytes());
        counts.add(0L);
      }
      counts.set(counts.size() - 1, counts.getLast() + 1);
    }
    Path file = raw(segment);
    Path into = folder.resolve("counts.npy");
    String[] common = {
      "--type=" + FileType.of(type),
      "--chunk=" + chunk,
      "--engine=" + engine,
      "--out=" + out(),
      "--force",
      "--counts=" + into
    };
    done("unique", file, common);
    assertArrayEquals(heads.toByteArray(), elements(type, out()), "seed " + SEED);
    long[] expected = counts.stream().mapToLong(count -> count).toArray();
    assertArrayEquals(bytes(expected), elements(ElementType.LONG, into), "seed " + SEED);
    Files.delete(out());
    done("unique", file, Arrays.copyOf(common, common.length - 1));
    assertArrayEquals(heads.toByteArray(), elements(type, out()), "seed " + SEED);
  }

  @Test
  void textAndJsonSayTheRuns() throws IOException {
    int[] x = {4, 4, 7, 9, 9, 9};
    Path file = raw(MemorySegment.ofArray(x));
    Path counts = folder.resolve("counts.npy");
    Run run = done("unique", file, "--type=int32", "--chunk=4", "--counts=" + counts);
    List<String> lines = run.out().lines().toList();
    assertEquals(counts + ": counts as int64", lines.get(1));
    assertEquals("runs   3", lines.get(2));
    assertEquals("first  4, 7, 9", lines.get(3));
    assertEquals("counts 2, 1, 3", lines.get(4));
    assertArrayEquals(bytes(2, 1, 3), elements(ElementType.LONG, counts));
    run = done("unique", file, "--type=int32", "--chunk=4", "--json");
    assertTrue(run.out().contains("\"runs\":3,\"first\":[4,7,9],\"engine\":"), run.out());
  }

  /** In another JVM, since compiled loops over elements of the mapping would end it. */
  @Test
  void aFileThatIsCutOffMeanwhile() throws IOException, InterruptedException {
    Path file = folder.resolve("x.bin");
    try (RandomAccessFile ints = new RandomAccessFile(file.toFile(), "rw")) {
      ints.setLength(1L << 29);
      List<String> command =
          OtherJvm.command(
              Main.class,
              "select",
              file.toString(),
              "--type=int32",
              "--where=>= 0",
              "--chunk=300000",
              "--engine=jvm",
              "--out=" + out());
      command.remove("-XX:TieredStopAtLevel=1");
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("said").toFile())
              .start();
      while (process.isAlive() && written() < 1 << 26) {
        Thread.sleep(1);
      }
      ints.setLength(100_000);
      int code = process.waitFor();
      String said = Files.readString(folder.resolve("said"));
      assertEquals(ExitCode.FAILURE, code, said);
      assertTrue(
          said.contains(
              "%s changed while it was read: size was %s bytes, is 100000"
                  .formatted(file, 1L << 29)),
          said);
    }
    assertFalse(Files.exists(out()));
  }

  private long written() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".part"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }
}
