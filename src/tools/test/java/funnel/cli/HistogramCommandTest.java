package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.histogram.Histogram;
import funnel.io.ElementFile;
import funnel.io.FileChangedException;
import funnel.io.NpyWriter;
import funnel.io.StreamException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramCommandTest {

  private static final long SEED = 7;
  private static final Pattern COUNTS = Pattern.compile("\"counts\":\\[([0-9,]*)]");

  @TempDir Path folder;

  private Path raw(MemorySegment elements) throws IOException {
    return Files.write(folder.resolve("raw.bin"), elements.toArray(ValueLayout.JAVA_BYTE));
  }

  private Path npy(ElementType type, MemorySegment elements) throws IOException {
    Path file = folder.resolve("x.npy");
    NpyWriter.write(file, type, elements, elements.byteSize() / type.bytes());
    return file;
  }

  private Path text(String text) throws IOException {
    return Files.writeString(folder.resolve("text.txt"), text);
  }

  private static Run histogram(Path file, String... arguments) {
    List<String> all = new ArrayList<>(List.of("histogram", file.toString()));
    all.addAll(List.of(arguments));
    if (Arrays.stream(arguments).noneMatch(argument -> argument.startsWith("--engine"))) {
      all.add("--engine=jvm");
    }
    return Run.of(all.toArray(String[]::new));
  }

  private static String json(Path file, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--json");
    Run run = histogram(file, all.toArray(String[]::new));
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    assertEquals(1, run.out().lines().count(), run.out());
    return run.out();
  }

  private static long[] counts(String json) {
    Matcher counts = COUNTS.matcher(json);
    assertTrue(counts.find(), json);
    return Arrays.stream(counts.group(1).split(",")).mapToLong(Long::parseLong).toArray();
  }

  private static void assertContains(String json, String part) {
    assertTrue(json.contains(part), () -> part + " is not in " + json);
  }

  @ParameterizedTest
  @CsvSource({"67108864, jvm", "7, jvm", "1, jvm", "67108864, emulator", "16, emulator"})
  void lettersOfALecture(int chunk, String engine) throws IOException {
    Path file = text("Programming Massively Parallel Processors");
    String[] common = {"--letters", "--chunk=" + chunk, "--engine=" + engine};
    Run run = histogram(file, common);
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    List<String> lines = run.out().lines().toList();
    assertEquals(file + ": 41 uint8 elements", lines.getFirst());
    assertEquals(1 + 26 + 1, lines.size());
    int longest = lines.get(1 + 'R' - 'A').length();
    int[] counts = {4, 0, 1, 0, 3, 0, 2, 0, 2, 0, 0, 4, 3, 1, 3, 3, 0, 5, 5, 0, 0, 1, 0, 0, 1, 0};
    for (int i = 0; i < counts.length; i++) {
      String[] cells = lines.get(1 + i).split(" +");
      assertEquals(Character.toString('A' + i), cells[0]);
      assertEquals("" + counts[i], cells[1]);
      int bar = cells.length > 2 ? cells[2].length() : 0;
      assertEquals(Math.round(counts[i] / 5.0 * (longest - 6)), bar);
    }
    assertEquals("no letters  3", lines.get(27));
    assertTrue(lines.stream().allMatch(line -> line.length() < 80));
    String json = json(file, common);
    assertContains(json, "\"histogram\":\"letters\",\"letters\":{\"A\":4,\"B\":0,\"C\":1,\"D\":0,");
    assertContains(json, "\"Y\":1,\"Z\":0},\"others\":3,\"engine\":");
  }

  /** No other byte is a letter, in particular none of a character of several bytes. */
  @Test
  void onlyLettersAreLetters() throws IOException {
    byte[] all = new byte[256];
    for (int value = 0; value < all.length; value++) {
      all[value] = (byte) value;
    }
    String json = json(raw(MemorySegment.ofArray(all)), "--letters");
    assertContains(json, "\"A\":2,");
    assertContains(json, "\"Z\":2},\"others\":" + (256 - 52));
    assertContains(json(text("\u00e4\u017f\u212a"), "--letters"), "\"Z\":0},\"others\":7");
  }

  @ParameterizedTest
  @CsvSource({
    "67108864, jvm",
    "1000, jvm",
    "999, jvm",
    "1, jvm",
    "67108864, emulator",
    "1000, emulator"
  })
  void bytesEqualAPlainLoop(int chunk, String engine) throws IOException {
    byte[] x = new byte[3000];
    new Random(SEED).nextBytes(x);
    x[17] = -1;
    long[] expected = new long[256];
    long[] quarters = new long[4];
    for (byte value : x) {
      expected[value & 0xff]++;
      quarters[(value & 0xff) / 64]++;
    }
    Path file = raw(MemorySegment.ofArray(x));
    String[] common = {"--chunk=" + chunk, "--engine=" + engine};
    String json = json(file, common);
    assertArrayEquals(expected, counts(json), "seed " + SEED);
    assertContains(json, "\"format\":\"raw\",\"type\":\"uint8\",\"elements\":3000");
    assertContains(json, "\"histogram\":\"bytes\",\"bins\":256,\"counts\":[");
    json = json(file, with(common, "--bins=4"));
    assertArrayEquals(quarters, counts(json), "seed " + SEED);
    assertContains(
        json, "\"low\":0,\"high\":256,\"closed\":false,\"edges\":[0,64,128,192,256],\"counts\":[");
    assertContains(json, "],\"below\":0,\"above\":0,\"engine\":");
    assertArrayEquals(expected, counts(json(file, with(common, "--keys", "--bins=256"))));
  }

  private static String[] with(String[] some, String... more) {
    String[] all = Arrays.copyOf(some, some.length + more.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    return all;
  }

  @ParameterizedTest
  @ValueSource(strings = {"jvm", "emulator"})
  void npyOfEveryType(String engine) throws IOException {
    int[] ints = new Random(SEED).ints(777, -1000, 1000).toArray();
    long[] expected = new long[10];
    long below = 0;
    long above = 0;
    for (int x : ints) {
      if (x < -500) {
        below++;
      } else if (x >= 500) {
        above++;
      } else {
        expected[(x + 500) / 100]++;
      }
    }
    long[] longs = Arrays.stream(ints).mapToLong(x -> x).toArray();
    double[] doubles = Arrays.stream(ints).mapToDouble(x -> x).toArray();
    float[] floats = new float[ints.length];
    for (int i = 0; i < ints.length; i++) {
      floats[i] = ints[i];
    }
    MemorySegment[] all = {
      MemorySegment.ofArray(ints),
      MemorySegment.ofArray(longs),
      MemorySegment.ofArray(floats),
      MemorySegment.ofArray(doubles)
    };
    ElementType[] types = {
      ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE
    };
    String outside = "\"below\":%s,\"above\":%s,".formatted(below, above);
    for (int k = 0; k < types.length; k++) {
      Path file = npy(types[k], all[k]);
      String[] common = {"--chunk=100", "--engine=" + engine};
      String even = json(file, with(common, "--bins=10", "--range=-500,500"));
      assertArrayEquals(expected, counts(even), types[k] + ", seed " + SEED);
      assertContains(even, outside);
      assertEquals(types[k].isFloating(), even.contains("\"nan\":0"));
      String edges = "-500,-400,-300,-200,-100,0,100,200,300,400,500";
      String ranges = json(file, with(common, "--edges", edges));
      assertArrayEquals(expected, counts(ranges), types[k] + ", seed " + SEED);
      assertContains(ranges, outside);
      assertContains(ranges, "\"histogram\":\"ranges\",\"bins\":10,\"edges\":[-500");
    }
  }

  /** Without a range, as numpy.histogram: all elements are in a bin, the largest in the last. */
  @Test
  void elementsSayTheRange() throws IOException {
    int[] x = {5, -7, 300, 5, 299};
    String json = json(npy(ElementType.INT, MemorySegment.ofArray(x)), "--bins=4", "--chunk=2");
    assertContains(
        json,
        "\"low\":-7,\"high\":300,\"closed\":true,\"edges\":[-7,70,147,224,300],"
            + "\"counts\":[3,0,0,2],\"below\":0,\"above\":0");
    json = json(npy(ElementType.INT, MemorySegment.ofArray(x)));
    assertEquals(32, counts(json).length);
    int[] few = {1, 2, 3, 3};
    json = json(npy(ElementType.INT, MemorySegment.ofArray(few)));
    assertContains(
        json,
        "\"bins\":3,\"low\":1,\"high\":3,\"closed\":true,\"edges\":[1,2,3,3],\"counts\":[1,1,2],");
    int[] one = {7, 7};
    json = json(npy(ElementType.INT, MemorySegment.ofArray(one)));
    assertContains(json, "\"bins\":1,\"low\":7,\"high\":8,\"closed\":false,\"edges\":[7,8],");
    long[] top = {Long.MAX_VALUE, Long.MAX_VALUE};
    json = json(npy(ElementType.LONG, MemorySegment.ofArray(top)), "--bins=2");
    assertContains(json, "\"counts\":[0,2],\"below\":0,\"above\":0");
    long[] wide = {Long.MIN_VALUE, 0, Long.MAX_VALUE};
    json = json(npy(ElementType.LONG, MemorySegment.ofArray(wide)), "--bins=2");
    assertContains(json, "\"counts\":[1,2],\"below\":0,\"above\":0");
    double[] doubles = {0.25, 1, 0.75, 0.6};
    json = json(npy(ElementType.DOUBLE, MemorySegment.ofArray(doubles)), "--bins=3");
    assertContains(
        json,
        "\"low\":0.25,\"high\":1.0,\"closed\":true,\"edges\":[0.25,0.5,0.75,1.0],"
            + "\"counts\":[1,1,2],\"below\":0,\"above\":0");
    float[] same = {3, 3};
    json = json(npy(ElementType.FLOAT, MemorySegment.ofArray(same)), "--bins=1");
    assertContains(
        json, "\"low\":2.5,\"high\":3.5,\"closed\":true,\"edges\":[2.5,3.5],\"counts\":[2]");
  }

  /** What numpy.histogram(np.arange(11.0), 10) counts, for every type, and labels that agree. */
  @ParameterizedTest
  @EnumSource(names = {"INT", "LONG", "FLOAT", "DOUBLE"})
  void theLastBinIsClosed(ElementType type) throws IOException {
    Path file =
        switch (type) {
          case INT -> npy(type, MemorySegment.ofArray(IntStream.range(0, 11).toArray()));
          case LONG -> npy(type, MemorySegment.ofArray(LongStream.range(0, 11).toArray()));
          case DOUBLE ->
              npy(type, MemorySegment.ofArray(IntStream.range(0, 11).asDoubleStream().toArray()));
          default ->
              npy(type, MemorySegment.ofArray(new float[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
        };
    long[] expected = {1, 1, 1, 1, 1, 1, 1, 1, 1, 2};
    assertArrayEquals(expected, counts(json(file, "--bins=10")));
    List<String> lines = histogram(file, "--bins=10").out().lines().toList();
    assertTrue(lines.get(1).startsWith("[0, 1)   1  #"), lines.get(1));
    assertTrue(lines.get(10).startsWith("[9, 10]  2  #"), lines.get(10));
    lines = histogram(file, "--bins=10", "--range=0,10").out().lines().toList();
    assertTrue(lines.get(10).startsWith("[9, 10)  1  #"), lines.get(10));
    assertEquals("above  1", lines.get(12));
  }

  /** NaN and infinities are counted, but are not the range. */
  @Test
  void finiteElementsSayTheRange() throws IOException {
    double inf = Double.POSITIVE_INFINITY;
    double[] x = {Double.NaN, 150, -inf, 1, inf, 2, inf};
    String json = json(npy(ElementType.DOUBLE, MemorySegment.ofArray(x)), "--bins=2", "--chunk=3");
    assertContains(json, "\"low\":1.0,\"high\":150.0,\"closed\":true,\"edges\":[1.0,75.5,150.0],");
    assertContains(json, "\"counts\":[2,1],\"below\":1,\"above\":2,\"nan\":1,");
    float[] f = {Float.NaN, -3.5f, Float.NEGATIVE_INFINITY, 0.5f};
    json = json(npy(ElementType.FLOAT, MemorySegment.ofArray(f)), "--bins=2");
    assertContains(json, "\"low\":-3.5,\"high\":0.5,");
    assertContains(json, "\"counts\":[1,1],\"below\":1,\"above\":0,\"nan\":1,");
  }

  @ParameterizedTest
  @CsvSource({"135.1,150,'[135.1, 142.55)','[142.55, 150]'", "0,1e20,'[0, 5e19)','[5e19, 1e20]'"})
  void labelsAreWrittenWithoutAnExponentIfTheyAreShort(
      double low, double high, String first, String last) throws IOException {
    Path file = npy(ElementType.DOUBLE, MemorySegment.ofArray(new double[] {low, high}));
    List<String> lines = histogram(file, "--bins=2").out().lines().toList();
    assertTrue(lines.get(1).startsWith(first), lines.get(1));
    assertTrue(lines.get(2).startsWith(last), lines.get(2));
  }

  @Test
  void whatIsInNoBinIsCountedApart() throws IOException {
    double[] x = {-1, Double.NaN, 0, -0.0, 0.5, 1, Double.NEGATIVE_INFINITY, Double.NaN, 7, 8};
    Path file = npy(ElementType.DOUBLE, MemorySegment.ofArray(x));
    String json = json(file, "--bins=2", "--range=0,1", "--chunk=3");
    assertContains(json, "\"counts\":[2,1],\"below\":2,\"above\":3,\"nan\":2,");
    json = json(file, "--edges=-Infinity,0,0,7.5", "--chunk=3");
    assertContains(json, "\"edges\":[\"-Infinity\",0.0,0.0,7.5],\"counts\":[2,0,5],");
    assertContains(json, "\"below\":0,\"above\":1,\"nan\":2,");
    Run run = histogram(file, "--edges=-Infinity,0,7.5");
    List<String> lines = run.out().lines().map(line -> line.replaceAll("#", "")).toList();
    assertEquals("[-Infinity, 0)  2", lines.get(1).strip());
    assertEquals("[0, 7.5)        5", lines.get(2).strip());
    assertEquals(List.of("below  0", "above  1", "nan  2"), lines.subList(3, 6));
  }

  @Test
  void manyBinsAreMergedIntoFewLines() throws IOException {
    int[] x = new Random(SEED).ints(5000, 0, 1000).toArray();
    Path file = npy(ElementType.INT, MemorySegment.ofArray(x));
    Run run = histogram(file, "--keys", "--bins=1000");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    List<String> lines = run.out().lines().toList();
    assertEquals(1 + 32 + 1, lines.size(), run.out());
    long first = Arrays.stream(x).filter(value -> value < 32).count();
    assertTrue(lines.get(1).startsWith("0..31     %s  #".formatted(first)), lines.get(1));
    assertTrue(lines.get(32).startsWith("992..999  "), lines.get(32));
    assertEquals("1,000 bins, a line for 32 each: --json has all", lines.get(33));
    String range = "[-%s, ".formatted(1L << 62);
    Run wide = histogram(file, "--bins=40", "--range=-%s,%s".formatted(1L << 62, 1L << 62));
    assertEquals(1 + 40 + 2, wide.out().lines().count(), wide.out());
    assertContains(wide.out(), range);
    Run narrow = histogram(file, "--bins=3", "--range=0,10");
    List<String> names =
        narrow.out().lines().skip(1).limit(3).map(l -> l.split(" {2}")[0]).toList();
    assertEquals(List.of("[0, 4)", "[4, 7)", "[7, 10)"), names);
  }

  /** The same counts by every method that is not for devices alone. */
  @ParameterizedTest
  @ValueSource(strings = {"sectioned", "STRIDED", "privatised", "thread-counters", "passes"})
  void everyMethodCountsTheSame(String method) throws IOException {
    byte[] x = new byte[2000];
    new Random(SEED).nextBytes(x);
    Path file = raw(MemorySegment.ofArray(x));
    String json = json(file, "--method=" + method, "--engine=emulator");
    assertArrayEquals(counts(json(file)), counts(json));
    assertContains(json, "\"method\":\"%s\"".formatted(method.toLowerCase(java.util.Locale.ROOT)));
  }

  @Test
  void pictures() throws IOException {
    Path text = text("Programming Massively Parallel Processors");
    double[] x = new Random(SEED).doubles(10_000).toArray();
    Path numbers = npy(ElementType.DOUBLE, MemorySegment.ofArray(x));
    Path empty = Files.write(folder.resolve("empty.bin"), new byte[0]);
    Path png = folder.resolve("picture");
    assertPicture(png, text, "--letters");
    assertPicture(png, text);
    assertPicture(png, text, "--keys", "--bins=200");
    assertPicture(png, empty, "--bins=1");
    assertPicture(png, numbers, "--bins=5000");
    assertPicture(png, numbers, "--edges=-Infinity,0.25,0.5,Infinity");
    assertPicture(png, numbers, "--edges=-Infinity,Infinity");
    Run again = histogram(text, "--png=" + png);
    assertEquals(ExitCode.USAGE, again.exitCode());
    assertContains(again.err(), "exists: --force replaces it");
    assertEquals("", again.out());
  }

  /** Bits of a multiple of a tick's distance. */
  @Test
  void ticksAreRound() {
    assertEquals("0.3", HistogramPlot.tick(0.1 + 0.2));
    assertEquals("-4.5", HistogramPlot.tick(-4.5));
    assertEquals("150", HistogramPlot.tick(150));
    assertEquals("10000000", HistogramPlot.tick(1e7));
    assertEquals("2e-8", HistogramPlot.tick(2e-8));
  }

  private static void assertPicture(Path png, Path file, String... arguments) throws IOException {
    Run run = histogram(file, with(arguments, "--png=" + png, "--force"));
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    assertEquals(900, ImageIO.read(png.toFile()).getWidth());
    Files.write(png, new byte[1]);
  }

  @Test
  void emptyFilesHaveNoCounts() throws IOException {
    Path empty = Files.write(folder.resolve("empty.bin"), new byte[0]);
    assertArrayEquals(new long[256], counts(json(empty)));
    assertContains(json(empty, "--letters"), "\"Z\":0},\"others\":0");
    for (FileType type : FileType.values()) {
      String json = json(empty, "--type=" + type, "--bins=2", "--range=0,1");
      assertContains(json, "\"counts\":[0,0],\"below\":0,\"above\":0");
    }
  }

  /** No output but one line on standard error, and the exit code. */
  private static void assertRefused(int exitCode, String message, Path file, String... arguments) {
    Run run = histogram(file, arguments);
    assertEquals(exitCode, run.exitCode(), run.err());
    assertEquals("", run.out());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().startsWith("funnel histogram: "), run.err());
    assertContains(run.err(), message);
  }

  @Test
  void badFilesAreNamed() throws IOException {
    Path odd = Files.write(folder.resolve("odd.bin"), new byte[5]);
    Path cut = folder.resolve("cut.npy");
    Path npy = npy(ElementType.INT, MemorySegment.ofArray(new int[] {1, 2}));
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(npy), 129));
    int failure = ExitCode.FAILURE;
    assertRefused(failure, "no such file: nope", Path.of("nope"));
    assertRefused(failure, "not a regular file", folder);
    assertRefused(failure, "[offset=4, expected size=8 bytes]", odd, "--type=float32");
    assertRefused(failure, cut + ": truncated", cut);
    assertRefused(ExitCode.USAGE, "contradicts", npy, "--type=int64");
    assertRefused(ExitCode.USAGE, "--letters needs bytes, " + npy + " has int32", npy, "--letters");
  }

  @Test
  void badBinsAreNamed() throws IOException {
    Path bytes = Files.write(folder.resolve("some.bin"), new byte[16]);
    Path ints = npy(ElementType.INT, MemorySegment.ofArray(new int[] {1, 2}));
    int usage = ExitCode.USAGE;
    assertRefused(usage, "--bins=0 is out of range: 1 to 16777216", bytes, "--bins=0");
    assertRefused(usage, "--bins=16777217 is out", bytes, "--bins=16777217");
    assertRefused(usage, "--chunk=0 is out of range", bytes, "--chunk=0");
    assertRefused(usage, "low=5, high=2", bytes, "--range=5,2");
    assertRefused(usage, "low=5, high=5", ints, "--range=5,5");
    assertRefused(usage, "low=NaN, high=2.0", bytes, "--type=float32", "--range=NaN,2");
    assertRefused(usage, "not of the form LOW,HIGH", bytes, "--range=5");
    assertRefused(usage, "--range: 'x' is no number", bytes, "--range=0,x");
    assertRefused(usage, "--range: 0.5 does not fit int64", ints, "--range=0,0.5");
    assertRefused(usage, "1e999 does not fit float64", bytes, "--type=float64", "--range=0,1e999");
    String odd = "9007199254740993"; // 2^53 + 1
    assertRefused(
        usage, odd + " does not fit float64", bytes, "--type=float64", "--range=0," + odd);
    assertRefused(usage, "edges[1]=7, edges[2]=3", bytes, "--edges=0,7,3");
    assertRefused(usage, "edges=1", bytes, "--edges=0");
    assertRefused(usage, "edges[1]=NaN", bytes, "--type=float64", "--edges=0,NaN");
    assertRefused(usage, "--edges defines the bins", bytes, "--edges=0,1", "--bins=1");
    assertRefused(usage, "--letters defines the bins", bytes, "--letters", "--keys");
    assertRefused(usage, "--keys are their own bins", bytes, "--keys", "--range=0,1");
    assertRefused(usage, "--keys needs --bins", ints, "--keys");
    assertRefused(usage, "--keys are integers", bytes, "--type=float32", "--keys", "--bins=3");
  }

  @Test
  void rangesThatElementsDoNotSayAreAskedFor() throws IOException {
    int usage = ExitCode.USAGE;
    Path file = npy(ElementType.DOUBLE, MemorySegment.ofArray(new double[] {1 / 0.0, Double.NaN}));
    assertRefused(ExitCode.FAILURE, "has no finite element: give the range", file);
    double two = 1 + 2 * Math.ulp(1.0);
    file = npy(ElementType.DOUBLE, MemorySegment.ofArray(new double[] {1, two}));
    assertRefused(usage, "low=1.0, high=1.0000000000000004, bins=32", file);
    file = npy(ElementType.LONG, MemorySegment.ofArray(new long[0]));
    assertRefused(ExitCode.FAILURE, "is empty: give the range", file);
    double wide = Double.MAX_VALUE;
    file = npy(ElementType.DOUBLE, MemorySegment.ofArray(new double[] {wide, -wide}));
    assertRefused(usage, "the width of even bins is finite", file);
  }

  @Test
  void badMethodsAndPicturesAreNamed() throws IOException {
    Path bytes = Files.write(folder.resolve("some.bin"), new byte[16]);
    int usage = ExitCode.USAGE;
    assertRefused(usage, "'atomic' is none of sectioned, strided", bytes, "--method=atomic");
    assertRefused(
        usage,
        "has at most 256 counters: bins=300",
        bytes,
        "--method=thread-counters",
        "--bins=300");
    assertRefused(usage, "there is no folder", bytes, "--png=" + folder.resolve("no/x.png"));
    assertRefused(usage, "is not a regular file", bytes, "--png=" + folder, "--force");
    assertRefused(usage, "ends in .png", bytes, "--png=" + folder.resolve("x.jpg"));
  }

  @ParameterizedTest
  @CsvSource({"67108864, jvm", "3, jvm", "67108864, emulator", "3, emulator"})
  void keysOutsideAreNamedWithTheirPlaceInTheFile(int chunk, String engine) throws IOException {
    int[] x = {0, 1, 2, 3, 0, 9, -1, 9};
    Path file = npy(ElementType.INT, MemorySegment.ofArray(x));
    String[] common = {"--keys", "--chunk=" + chunk, "--engine=" + engine};
    assertRefused(
        ExitCode.FAILURE,
        "element 5 is 9, keys are 0 to 8 [bins=9]",
        file,
        with(common, "--bins=9"));
    assertRefused(ExitCode.FAILURE, "element 6 is -1, keys", file, with(common, "--bins=10"));
    x[6] = 4;
    file = npy(ElementType.INT, MemorySegment.ofArray(x));
    long[] expected = {2, 1, 1, 1, 1, 0, 0, 0, 0, 2};
    assertArrayEquals(expected, counts(json(file, with(common, "--bins=10"))));
  }

  /** Two chunks of the default length; the file is a hole but for its ends. */
  @Test
  void filesAreLargerThanAChunk() throws IOException {
    Path path = folder.resolve("sparse.bin");
    int length = HistogramCommand.CHUNK + 100;
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length);
      file.write(200);
      file.seek(length - 2L);
      file.write(new byte[] {1, 1});
    }
    String json = json(path);
    assertContains(json, "\"chunk\":67108864,\"chunks\":2,");
    long[] expected = new long[256];
    expected[0] = length - 3;
    expected[1] = 2;
    expected[200] = 1;
    assertArrayEquals(expected, counts(json));
    Run run = histogram(path);
    assertContains(run.err(), "2 chunks of 67,108,864");
  }

  @Test
  void filesThatChangeMeanwhileAreRefused() throws IOException {
    Path path = raw(MemorySegment.ofArray(new long[1 << 16]));
    assertThrows(FileChangedException.class, () -> countWhile(path, file -> resize(file, 1 << 20)));
    StreamException e =
        assertThrows(StreamException.class, () -> countWhile(path, file -> resize(file, 0)));
    assertInstanceOf(FileChangedException.class, e.getCause());
    assertEquals(1 << 14, e.position());
    assertFalse(Files.size(path) > 0);
  }

  private static void countWhile(Path path, Consumer<Path> meanwhile) throws IOException {
    Histogram histogram = Histogram.even(4, 0, 100);
    try (Funnel funnel = Funnel.open(Target.JVM);
        ElementFile file = ElementFile.openRaw(path, ElementType.LONG)) {
      var _ =
          funnel
              .over(file)
              .pieces(1 << 14)
              .listener((done, total) -> meanwhile.accept(path))
              .histogram(histogram, new long[4]);
    }
  }

  private static void resize(Path path, long size) {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void textIsReadAsBytes() throws IOException {
    Path file = text("abba\n");
    long[] counts = counts(json(file));
    assertEquals(2, counts['a']);
    assertEquals(2, counts['b']);
    assertEquals(1, counts['\n']);
    assertEquals(5, file.toFile().length());
    assertEquals("abba\n", Files.readString(file, StandardCharsets.US_ASCII));
  }
}
