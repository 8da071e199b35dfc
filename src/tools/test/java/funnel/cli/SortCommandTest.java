package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.Values;
import funnel.io.ElementFile;
import funnel.io.NpyWriter;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SortCommandTest {

  @TempDir Path folder;

  private Path out() {
    return folder.resolve("out.npy");
  }

  private Path raw(MemorySegment elements) throws IOException {
    return Files.write(folder.resolve("raw.bin"), elements.toArray(ValueLayout.JAVA_BYTE));
  }

  private List<Path> parts() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".part")).toList();
    }
  }

  /** Whatever happened, nothing half-written may stay. */
  @AfterEach
  void noPartIsLeft() throws IOException {
    assertEquals(List.of(), parts());
  }

  private Run run(Path file, String... arguments) {
    List<String> all = new ArrayList<>(List.of("sort", file.toString(), "--out=" + out()));
    all.addAll(List.of(arguments));
    if (Arrays.stream(arguments).noneMatch(argument -> argument.startsWith("--engine"))) {
      all.add("--engine=jvm");
    }
    return Run.of(all.toArray(String[]::new));
  }

  private Run done(Path file, String... arguments) {
    Run run = run(file, arguments);
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    return run;
  }

  private byte[] written(ElementType type) throws IOException {
    try (ElementFile file = ElementFile.open(out())) {
      assertEquals(type, file.type());
      assertEquals(List.of(file.length()), file.shape());
      return file.piece(0, file.length()).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /** One chunk, chunks that divide the length, and chunks that do not. */
  @ParameterizedTest
  @CsvSource({
    "INT, 16777216, jvm, false",
    "INT, 1000, emulator, true",
    "INT, 1, jvm, true",
    "BYTE, 999, jvm, false",
    "BYTE, 50, jvm, true",
    "LONG, 2000, emulator, false",
    "LONG, 3000, jvm, true",
    "FLOAT, 77, jvm, true",
    "FLOAT, 3001, jvm, false",
    "DOUBLE, 999, jvm, true",
    "DOUBLE, 2999, jvm, false"
  })
  void elementsAndPositionsEqualAPlainSort(
      ElementType type, int chunk, String engine, boolean isDescending) throws IOException {
    int length = 3000;
    SplittableRandom random = Seed.random("sort file " + type + chunk);
    Values x = Values.random(type, length, random);
    for (int i = 0; i < length; i += 2) { // so that many are equal
      x.set(i, random.nextInt(100));
    }
    Comparator<Integer> ascending =
        (i, j) ->
            switch (x.array()) {
              case float[] a -> Float.compare(a[i], a[j]);
              case double[] a -> Double.compare(a[i], a[j]);
              default -> Long.compare(x.longAt(i), x.longAt(j));
            };
    long[] order =
        IntStream.range(0, length)
            .boxed()
            .sorted(isDescending ? ascending.reversed() : ascending)
            .mapToLong(i -> i)
            .toArray();
    byte[] bytes = x.segment().toArray(ValueLayout.JAVA_BYTE);
    byte[] sorted = new byte[bytes.length];
    for (int i = 0; i < length; i++) {
      int size = type.bytes();
      System.arraycopy(bytes, (int) order[i] * size, sorted, i * size, size);
    }
    List<String> options =
        new ArrayList<>(
            List.of(
                "--type=" + FileType.of(type),
                "--chunk=" + chunk,
                "--engine=" + engine,
                "--force"));
    if (isDescending) {
      options.add("--descending");
    }
    Path file = raw(x.segment());
    done(file, options.toArray(String[]::new));
    assertArrayEquals(sorted, written(type), Seed.replay());
    options.add("--order");
    done(file, options.toArray(String[]::new));
    byte[] positions = MemorySegment.ofArray(order).toArray(ValueLayout.JAVA_BYTE);
    assertArrayEquals(positions, written(ElementType.LONG), Seed.replay());
  }

  /** Infinities, zeros of both signs and NaN of many bits come out as they do of one chunk. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void bitsStay(ElementType type) throws IOException {
    SplittableRandom random = Seed.random("bits of " + type);
    byte[] bytes = new byte[800 * type.bytes()];
    random.nextBytes(bytes);
    for (int i = 0; i < 800; i += 2) { // the exponent of NaN and infinities, or zeros
      int last = (i + 1) * type.bytes() - 1;
      boolean isZero = random.nextInt(8) == 0;
      Arrays.fill(bytes, i * type.bytes(), last, (byte) (isZero ? 0 : -random.nextInt(2)));
      bytes[last - 1] = (byte) (isZero ? 0 : 0xf0 | bytes[last - 1]);
      bytes[last] = (byte) ((isZero ? 0 : 0x7f) | (random.nextBoolean() ? 0x80 : 0));
    }
    Path file = Files.write(folder.resolve("raw.bin"), bytes);
    String typed = "--type=" + FileType.of(type);
    for (String direction : List.of("--raw", "--descending")) {
      for (String what : List.of(typed, "--order")) {
        ElementType results = what.equals("--order") ? ElementType.LONG : type;
        done(file, Stream.of(typed, direction, what, "--force").distinct().toArray(String[]::new));
        byte[] whole = written(results);
        done(
            file,
            Stream.of(typed, direction, what, "--force", "--chunk=7")
                .distinct()
                .toArray(String[]::new));
        assertArrayEquals(whole, written(results), direction + what + Seed.replay());
      }
    }
  }

  @Test
  void textAndJsonSayWhatIsThere() throws IOException {
    Path file = folder.resolve("a.npy");
    int[] x = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
    NpyWriter.write(file, ElementType.INT, MemorySegment.ofArray(x), 3, 4);
    Run text = done(file, "--descending", "--chunk=5");
    List<String> lines = text.out().lines().toList();
    assertEquals(out() + ": descending order as int32", lines.get(1));
    assertEquals("first  9, 8, 6, 5, 5, 5, 4, 3, ...", lines.get(2));
    assertTrue(text.err().matches("in .* s on JVM .* cores, 3 chunks of 5\\R"), text.err());
    Run json = done(file, "--order", "--json", "--chunk=5", "--force");
    assertTrue(
        json.out()
            .contains(
                "\"descending\":false,\"order\":true,\"first\":[1,3,6,0,9,2,4,8],\"out\":\"%s\",\"outType\":\"int64\",\"engine\":"
                    .formatted(out())),
        json.out());
  }

  @Test
  void emptyFilesHaveEmptyOutputs() throws IOException {
    Path empty = Files.write(folder.resolve("empty.bin"), new byte[0]);
    for (FileType type : FileType.values()) {
      done(empty, "--type=" + type, "--force");
      assertEquals(0, written(type.element()).length);
      done(empty, "--type=" + type, "--order", "--force");
      assertEquals(0, written(ElementType.LONG).length);
    }
  }

  @Test
  void badInputIsNamed() throws IOException {
    Path some = Files.write(folder.resolve("some.bin"), new byte[70_000]);
    assertRefused(ExitCode.USAGE, "give its type with --type", run(some));
    assertRefused(
        ExitCode.FAILURE, "not a whole number", run(raw(some(3).segment()), "--type=int64"));
    assertRefused(
        ExitCode.USAGE,
        "--chunk=1 makes 70,000 chunks of %s, and at most 65,536 are merged: give --chunk=2 or more"
            .formatted(some),
        run(some, "--type=uint8", "--chunk=1"));
    Files.write(out(), new byte[] {7});
    Run run = run(some, "--type=uint8");
    assertEquals(ExitCode.USAGE, run.exitCode());
    assertTrue(run.err().contains("exists: --force replaces it"), run.err());
    assertArrayEquals(new byte[] {7}, Files.readAllBytes(out()));
  }

  private static Values some(int length) {
    return Values.ofLength(ElementType.INT, length);
  }

  private void assertRefused(int exitCode, String message, Run run) {
    assertEquals(exitCode, run.exitCode(), run.err());
    assertEquals("", run.out());
    assertTrue(run.err().startsWith("funnel sort: "), run.err());
    assertTrue(run.err().contains(message), run.err());
    assertFalse(Files.exists(out()));
  }

  /**
   * While chunks are sorted, and when they are merged; by the signal that is not ignored where a
   * shell has started the tests in the background, as Ctrl-C is.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whenStoppedNothingIsLeft(int begun) throws IOException, InterruptedException {
    Path file = raw(some(3_200_000).segment());
    List<String> command =
        OtherJvm.command(
            Main.class,
            "sort",
            file.toString(),
            "--engine=jvm",
            "--type=int32",
            "--chunk=50",
            "--out=" + out());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      long started = System.nanoTime();
      while (parts().stream().filter(part -> part.toFile().length() > 1000).count() < begun) {
        assertTrue(process.isAlive(), "ended");
        assertTrue(System.nanoTime() - started < 100e9, "parts=" + parts());
        Thread.sleep(5);
      }
      assertEquals(0, new ProcessBuilder("kill", "-TERM", "" + process.pid()).start().waitFor());
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    } finally {
      process.destroyForcibly();
    }
    assertNotEquals(0, process.exitValue());
    assertFalse(Files.exists(out()));
  }
}
