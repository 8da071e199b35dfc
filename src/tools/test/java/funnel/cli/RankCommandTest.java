package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.io.ElementFile;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code funnel top} and {@code funnel quantiles}. */
class RankCommandTest {

  private static final double[] KINDS = {0.0, -0.0, Double.NaN, 5, -5, 1e30, Float.MIN_VALUE};

  @TempDir Path folder;

  private Path raw(MemorySegment elements) throws IOException {
    return Files.write(folder.resolve("raw.bin"), elements.toArray(ValueLayout.JAVA_BYTE));
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

  /** Many are equal, so that positions matter. */
  private static Number[] values(ElementType type, int length) {
    SplittableRandom random = Seed.random("top " + type);
    Number[] values = new Number[length];
    for (int i = 0; i < length; i++) {
      double kind = KINDS[random.nextInt(KINDS.length)];
      values[i] =
          switch (type) {
            case BYTE -> random.nextInt(256);
            case INT -> random.nextInt(-100, 100);
            case LONG -> random.nextLong(-100, 100) << 40;
            case FLOAT -> (float) kind;
            case DOUBLE -> kind;
          };
    }
    return values;
  }

  private static MemorySegment segment(ElementType type, Number... values) {
    MemorySegment segment = MemorySegment.ofArray(new byte[values.length * type.bytes()]);
    for (int i = 0; i < values.length; i++) {
      switch (type) {
        case BYTE -> segment.set(ValueLayout.JAVA_BYTE, i, values[i].byteValue());
        case INT -> segment.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i, values[i].intValue());
        case LONG -> segment.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i, values[i].longValue());
        case FLOAT ->
            segment.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, values[i].floatValue());
        case DOUBLE ->
            segment.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i, values[i].doubleValue());
      }
    }
    return segment;
  }

  private static int compare(Number a, Number b) {
    return a instanceof Long
        ? Long.compare(a.longValue(), b.longValue())
        : Double.compare(a.doubleValue(), b.doubleValue());
  }

  private byte[] output(ElementType type) throws IOException {
    try (ElementFile file = ElementFile.open(folder.resolve("out.npy"))) {
      assertEquals(type, file.type());
      return file.piece(0, file.length()).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "BYTE, 16777216, 20, jvm",
    "INT, 7, 40, jvm",
    "INT, 999, 100, emulator",
    "LONG, 1000, 1, jvm",
    "FLOAT, 99, 700, jvm",
    "DOUBLE, 1000, 5000, jvm"
  })
  void topEqualsAStableSort(ElementType type, int chunk, int k, String engine) throws IOException {
    int length = 2000;
    Number[] values = values(type, length);
    Path file = raw(segment(type, values));
    for (boolean smallest : new boolean[] {true, false}) {
      Comparator<Integer> order = (i, j) -> compare(values[i], values[j]);
      int[] expected =
          IntStream.range(0, length)
              .boxed()
              .sorted(smallest ? order : order.reversed())
              .limit(k)
              .mapToInt(i -> i)
              .toArray();
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  "--type=" + FileType.of(type),
                  "-k=" + k,
                  "--chunk=" + chunk,
                  "--engine=" + engine,
                  "--out=" + folder.resolve("out.npy"),
                  "--force"));
      if (smallest) {
        arguments.add("--smallest");
      }
      done("top", file, arguments.toArray(String[]::new));
      Number[] elements = Arrays.stream(expected).mapToObj(i -> values[i]).toArray(Number[]::new);
      assertArrayEquals(
          segment(type, elements).toArray(ValueLayout.JAVA_BYTE), output(type), Seed.replay());
      arguments.add("--positions");
      done("top", file, arguments.toArray(String[]::new));
      long[] positions = Arrays.stream(expected).asLongStream().toArray();
      assertArrayEquals(
          MemorySegment.ofArray(positions).toArray(ValueLayout.JAVA_BYTE),
          output(ElementType.LONG),
          Seed.replay());
    }
  }

  @Test
  void topIsPrintedAndInJson() throws IOException {
    Path file = raw(MemorySegment.ofArray(new int[] {3, 1, 4, 1, 5}));
    List<String> lines = done("top", file, "--type=int32", "-k", "3").out().lines().toList();
    assertEquals(List.of("5  at 4", "4  at 2", "3  at 0"), lines.subList(1, 4));
    String json =
        done("top", file, "--type=int32", "-k", "2", "--smallest", "--json", "--chunk=2").out();
    assertTrue(
        json.contains("\"k\":2,\"smallest\":true,\"values\":[1,1],\"positions\":[1,3],\"engine\":"),
        json);
    lines =
        done("top", raw(MemorySegment.ofArray(new int[0])), "--type=int32").out().lines().toList();
    assertEquals(1, lines.size());
  }

  @ParameterizedTest
  @CsvSource({
    "BYTE, jvm, 1000",
    "INT, emulator, 1001",
    "LONG, jvm, 300",
    "FLOAT, jvm, 1001",
    "DOUBLE, emulator, 1001"
  })
  void quantilesAreElementsOfTheSorted(ElementType type, String engine, int chunk)
      throws IOException {
    int length = 1001;
    Number[] values = values(type, length);
    Path file = raw(segment(type, values));
    Run run =
        done(
            "quantiles",
            file,
            "--type=" + FileType.of(type),
            "--at=0, 0.5,0.99,1",
            "--engine=" + engine,
            "--chunk=" + chunk);
    Number[] sorted = values.clone();
    Arrays.sort(sorted, RankCommandTest::compare);
    List<String> lines = run.out().lines().toList();
    assertEquals(
        List.of(
            "0     " + Numbers.text(sorted[0]),
            "0.5   " + Numbers.text(sorted[500]),
            "0.99  " + Numbers.text(sorted[990]),
            "1     " + Numbers.text(sorted[1000])),
        lines.subList(1, 5),
        Seed.replay());
  }

  @Test
  void quantilesBetweenElements() throws IOException {
    Path file = raw(MemorySegment.ofArray(new int[] {10, 1, 2, 3}));
    String json =
        done("quantiles", file, "--type=int32", "--at=0.5,1", "--interpolated", "--json").out();
    assertTrue(
        json.contains(
            "\"interpolated\":true,\"quantiles\":[{\"at\":0.5,\"value\":2.5},{\"at\":1.0,\"value\":10.0}],"),
        json);
  }

  private void assertRefused(int exitCode, String message, String command, String... arguments)
      throws IOException {
    Path some = Files.write(folder.resolve("some.bin"), new byte[16]);
    Run run = run(command, some, arguments);
    assertEquals(exitCode, run.exitCode(), run.err());
    assertEquals("", run.out());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void badInputIsNamed() throws IOException {
    int usage = ExitCode.USAGE;
    String type = "--type=int32";
    assertRefused(usage, "-k=0 is out of range: 1 to 1048576", "top", type, "-k=0");
    assertRefused(usage, "without --out both are printed", "top", type, "--positions");
    assertRefused(usage, "there is no folder", "top", type, "--out=no/such/file.npy");
    assertRefused(usage, "exists: --force", "top", type, "--out=" + folder.resolve("some.bin"));
    assertRefused(usage, "--at 'half' is no number", "quantiles", type, "--at=half");
    assertRefused(usage, "quantile 1 is 1.5", "quantiles", type, "--at=0.5,1.5");
    Path empty = Files.write(folder.resolve("empty.bin"), new byte[0]);
    Run run = run("quantiles", empty, type, "--at=0.5");
    assertEquals(ExitCode.FAILURE, run.exitCode());
    assertTrue(run.err().contains("it has no quantiles"), run.err());
  }
}
