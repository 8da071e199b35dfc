package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.io.NpyWriter;
import funnel.io.Npz;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupCommandTest {

  @TempDir Path folder;

  private Path raw(String name, Object array) throws IOException {
    MemorySegment elements =
        switch (array) {
          case byte[] bytes -> MemorySegment.ofArray(bytes);
          case int[] ints -> MemorySegment.ofArray(ints);
          case long[] longs -> MemorySegment.ofArray(longs);
          case float[] floats -> MemorySegment.ofArray(floats);
          default -> MemorySegment.ofArray((double[]) array);
        };
    return Files.write(folder.resolve(name), elements.toArray(ValueLayout.JAVA_BYTE));
  }

  private static Run run(Path keys, String... arguments) {
    List<String> all = new ArrayList<>(List.of("group", keys.toString()));
    all.addAll(List.of(arguments));
    if (Arrays.stream(arguments).noneMatch(argument -> argument.startsWith("--engine"))) {
      all.add("--engine=jvm");
    }
    return Run.of(all.toArray(String[]::new));
  }

  private static Run done(Path keys, String... arguments) {
    Run run = run(keys, arguments);
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    return run;
  }

  private static double[] doubles(Map<String, Npz.Array> arrays, String name, ElementType type) {
    Npz.Array array = arrays.get(name);
    assertEquals(type, array.type(), name);
    MemorySegment data = array.data();
    double[] values = new double[(int) (data.byteSize() / type.bytes())];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (type) {
            case BYTE -> data.get(ValueLayout.JAVA_BYTE, i) & 0xff;
            case INT -> data.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
            case LONG -> data.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i);
            case FLOAT -> data.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i);
            case DOUBLE -> data.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i);
          };
    }
    return values;
  }

  private static final class Group {
    private long count;
    private double sum;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    private final List<Double> values = new ArrayList<>();

    void add(double value) {
      values.add(value);
      count++;
      sum += value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }

    /** The median; of an even number the lower of two, or the mean of two. */
    double median(boolean isLower) {
      List<Double> sorted = values.stream().sorted().toList();
      double lower = sorted.get((sorted.size() - 1) / 2);
      return isLower ? lower : (lower + sorted.get(sorted.size() / 2)) / 2;
    }
  }

  /** One chunk, chunks that divide the length, and chunks that do not; sums are exact. */
  @ParameterizedTest
  @CsvSource({
    "INT, BYTE, 16777216, jvm",
    "INT, INT, 1000, jvm",
    "LONG, LONG, 77, jvm",
    "INT, FLOAT, 1000, emulator",
    "LONG, DOUBLE, 999, jvm",
    "LONG, INT, 1, jvm"
  })
  void columnsEqualAPlainLoop(ElementType keyType, ElementType type, int chunk, String engine)
      throws IOException {
    int length = chunk == 1 ? 100 : 3000;
    SplittableRandom random = Seed.random("group");
    int[] keys = random.ints(length, -20, 300).toArray();
    int[] quarters = random.ints(length, type == ElementType.BYTE ? 0 : -100, 100).toArray();
    double unit = type.isFloating() ? 0.25 : 1;
    double[] values = Arrays.stream(quarters).mapToDouble(q -> q * unit).toArray();
    float[] floats = new float[length];
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      floats[i] = (float) values[i];
      bytes[i] = (byte) (quarters[i] + 100);
      values[i] = type == ElementType.BYTE ? quarters[i] + 100 : values[i];
    }
    Object given =
        switch (type) {
          case BYTE -> bytes;
          case INT -> quarters;
          case LONG -> Arrays.stream(quarters).asLongStream().toArray();
          case FLOAT -> floats;
          case DOUBLE -> values;
        };
    Map<Integer, Group> expected = new TreeMap<>();
    for (int i = 0; i < length; i++) {
      expected.computeIfAbsent(keys[i], key -> new Group()).add(values[i]);
    }
    boolean areInts = keyType == ElementType.INT;
    Path file = raw("keys", areInts ? keys : Arrays.stream(keys).asLongStream().toArray());
    Path out = folder.resolve("out.npz");
    done(
        file,
        "--type=" + FileType.of(keyType),
        "--values=" + raw("values", given),
        "--values-type=" + FileType.of(type),
        "--mean",
        "--count-distinct",
        "--interpolated-median",
        "--median",
        "--max",
        "--min",
        "--sum",
        "--count",
        "--chunk=" + chunk,
        "--engine=" + engine,
        "--out=" + out);
    Map<String, Npz.Array> arrays = Npz.read(out);
    assertEquals(
        "key count sum min max mean median interpolated-median count-distinct",
        String.join(" ", arrays.keySet()));
    ElementType wide = type.isFloating() ? ElementType.DOUBLE : ElementType.LONG;
    ElementType same = type == ElementType.BYTE ? ElementType.INT : type;
    List<Group> groups = List.copyOf(expected.values());
    assertArrayEquals(
        expected.keySet().stream().mapToDouble(key -> key).toArray(),
        doubles(arrays, "key", keyType));
    assertArrayEquals(
        groups.stream().mapToDouble(group -> group.count).toArray(),
        doubles(arrays, "count", ElementType.LONG));
    assertArrayEquals(
        groups.stream().mapToDouble(group -> group.sum).toArray(), doubles(arrays, "sum", wide));
    assertArrayEquals(
        groups.stream().mapToDouble(group -> group.min).toArray(), doubles(arrays, "min", same));
    assertArrayEquals(
        groups.stream().mapToDouble(group -> group.max).toArray(), doubles(arrays, "max", same));
    assertArrayEquals(
        groups.stream().mapToDouble(group -> group.sum / group.count).toArray(),
        doubles(arrays, "mean", ElementType.DOUBLE),
        1e-12,
        Seed.replay());
    assertArrayEquals(
        groups.stream().mapToDouble(group -> group.median(true)).toArray(),
        doubles(arrays, "median", same));
    assertArrayEquals(
        groups.stream().mapToDouble(group -> group.median(false)).toArray(),
        doubles(arrays, "interpolated-median", ElementType.DOUBLE));
    assertArrayEquals(
        groups.stream().mapToDouble(group -> group.values.stream().distinct().count()).toArray(),
        doubles(arrays, "count-distinct", ElementType.LONG));
  }

  @Test
  void largeNumbersStay() throws IOException {
    long[] keys = {Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE};
    long[] values = {Long.MAX_VALUE - 3, 5, 2};
    Path k = raw("k", keys);
    String[] options = {
      "--type=int64",
      "--values=" + raw("v", values),
      "--values-type=int64",
      "--sum",
      "--min",
      "--csv",
      "--chunk=1"
    };
    assertEquals(
        List.of("key,sum,min", Long.MIN_VALUE + ",5,5", Long.MAX_VALUE + ",9223372036854775806,2"),
        done(k, options).out().lines().skip(0).toList());
  }

  @Test
  void nanAndZeros() throws IOException {
    int[] keys = {1, 1, 2, 2, 2};
    float[] values = {0f, -0f, 1, Float.NaN, 2};
    Path k = raw("k", keys);
    for (int chunk : new int[] {5, 1, 2}) {
      Run run =
          done(
              k,
              "--type=int32",
              "--values=" + raw("v", values),
              "--values-type=float32",
              "--min",
              "--max",
              "--csv",
              "--chunk=" + chunk);
      assertEquals(
          List.of("key,min,max", "1,-0,0", "2,NaN,NaN"), run.out().lines().toList(), "" + chunk);
    }
  }

  @Test
  void mediansOfSeveralKeysAndColumns() throws IOException {
    Path table = folder.resolve("t.npz");
    SequencedMap<String, Npz.Array> arrays = new LinkedHashMap<>();
    arrays.put("k", array(ElementType.INT, MemorySegment.ofArray(new int[] {2, 1, 2, 2, 1})));
    arrays.put("d", array(ElementType.INT, MemorySegment.ofArray(new int[] {0, 5, 9, 0, 5})));
    double[] v = {1.5, 4, Double.NaN, 2.5, 4};
    arrays.put("v", array(ElementType.DOUBLE, MemorySegment.ofArray(v)));
    arrays.put("w", array(ElementType.LONG, MemorySegment.ofArray(new long[] {1, 2, 3, 4, 5})));
    Npz.write(table, arrays);
    String[] options = {"--keys=k,d", "--values=v,w", "--median", "--count-distinct", "--csv"};
    assertEquals(
        List.of(
            "k,d,v_median,v_count-distinct,w_median,w_count-distinct",
            "1,5,4,1,2,2",
            "2,0,1.5,2,1,2",
            "2,9,NaN,1,3,1"),
        done(table, options).out().lines().toList());
    options[3] = "--sum";
    assertEquals(
        List.of(
            "k,d,v_sum,v_median,w_sum,w_median", "1,5,8,4,7,2", "2,0,4,1.5,5,1", "2,9,NaN,NaN,3,3"),
        done(table, options).out().lines().toList());
  }

  private static Npz.Array array(ElementType type, MemorySegment data) {
    return new Npz.Array(type, List.of(data.byteSize() / type.bytes()), data);
  }

  @Test
  void textAndJsonSayTheFirst() throws IOException {
    Path keys = folder.resolve("k.npy");
    int[] x = {7, 9, 7, 1, 2, 3, 4, 5, 6, 8};
    NpyWriter.write(keys, ElementType.INT, MemorySegment.ofArray(x), x.length);
    Path values = folder.resolve("v.npy");
    double[] v = {3, 4, 1, 0, 0, 0, 0, 0, 0, 0.5};
    NpyWriter.write(values, ElementType.DOUBLE, MemorySegment.ofArray(v), v.length);
    List<String> lines = done(keys).out().lines().toList();
    assertEquals("key  count", lines.get(1));
    assertEquals("  1      1", lines.get(2));
    assertEquals("  7      2", lines.get(8));
    assertEquals("groups 9", lines.get(11));
    assertEquals(12, lines.size());
    Path out = folder.resolve("out.npz");
    lines = done(keys, "--values=" + values, "--mean", "--out=" + out).out().lines().toList();
    assertEquals(out + ": key as int32, mean as float64", lines.get(1));
    String json = done(keys, "--values=" + values, "--max", "--count", "--json", "--chunk=3").out();
    assertTrue(
        json.contains(
            "\"groups\":9,\"columns\":{\"key\":[1,2,3,4,5,6,7,8,9],\"count\":[1,1,1,1,1,1,2,1,1],"
                + "\"max\":[0.0,0.0,0.0,0.0,0.0,0.0,3.0,0.5,4.0]},\"engine\":"),
        json);
  }

  @Test
  void noKeysHaveNoGroups() throws IOException {
    Path empty = raw("k", new int[0]);
    Path out = folder.resolve("out.npz");
    String values = "--values=" + raw("v", new float[0]);
    Run run = done(empty, "--type=int32", values, "--values-type=float32", "--sum", "--out=" + out);
    assertTrue(run.out().contains("groups 0"), run.out());
    assertEquals(0, doubles(Npz.read(out), "key", ElementType.INT).length);
    assertEquals(0, doubles(Npz.read(out), "sum", ElementType.DOUBLE).length);
    assertEquals(
        "key,sum,median",
        done(empty, "--type=int32", values, "--values-type=float32", "--sum", "--median", "--csv")
            .out()
            .strip());
    assertEquals("key,count", done(empty, "--type=int32", "--csv").out().strip());
  }

  private void assertRefused(String message, Path keys, String... arguments) {
    Run run = run(keys, arguments);
    assertEquals(ExitCode.USAGE, run.exitCode(), run.err());
    assertEquals("", run.out());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().contains(message), run.err());
    assertFalse(Files.exists(folder.resolve("out.npz")));
  }

  @Test
  void badInputIsNamed() throws IOException {
    Path keys = raw("k", new int[3]);
    Path values = raw("v", new int[2]);
    String type = "--type=int32";
    String out = "--out=" + folder.resolve("out.npz");
    assertRefused("name their file with --values", keys, type, "--sum");
    assertRefused("give its type with --values-type", keys, type, "--values=" + values, out);
    assertRefused("has 2, ", keys, type, "--values=" + values, "--values-type=int32", "--sum", out);
    assertRefused("keys are int32 or int64", keys, "--type=float32", out);
    assertRefused("cannot be combined with --json or --out", keys, type, "--csv", "--json");
    assertRefused("there is no folder", keys, type, "--out=no/such/file.npz");
    Path npy = folder.resolve("v.npy");
    NpyWriter.write(npy, ElementType.INT, MemorySegment.ofArray(new int[3]), 3);
    assertRefused(
        "contradicts", keys, type, "--values=" + npy, "--values-type=int64", "--sum", out);
    Path there = raw("there.npz", new byte[1]);
    assertRefused("exists: --force replaces it", keys, type, "--out=" + there);
    done(keys, type, "--out=" + there, "--force");
    assertEquals(1, doubles(Npz.read(there), "count", ElementType.LONG).length);
  }
}
