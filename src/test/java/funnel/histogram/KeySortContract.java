package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Composite;
import funnel.operation.Input;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link KeySort} and {@link RunCounts} behind it compute; the oracle is a sort of longs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class KeySortContract {

  private Engine engine = new JvmEngine();
  private final Map<List<Object>, LoadedProgram> loaded = new HashMap<>();

  abstract Engine open();

  Target target() {
    return Target.JVM;
  }

  /** Whether a limit next to a power of two is tried. */
  boolean isTried(int bits, SplittableRandom random) {
    return target() == Target.JVM || bits % 5 == 0;
  }

  int capacity(int length) {
    return Math.max(64, Integer.highestOneBit(Math.max(length, 1) * 2 - 1) * 2);
  }

  List<Integer> lengths() {
    return List.of(0, 1, 2, 255, 256, 257, 4091, 4092, 4093, 4095, 4096, 4097, 8188, 8189, 20_000);
  }

  /** Limits for every length. */
  int[] limits() {
    return new int[] {1, 64, 5000, 1 << 21};
  }

  List<Integer> longLengths() {
    return List.of();
  }

  int randomRuns() {
    return 100;
  }

  /** How much of what lengths, limits and patterns come to is tried. */
  int tenthsTried(int length) {
    return length > 300 ? 4 : 10;
  }

  @BeforeAll
  void begin() {
    engine = open();
  }

  @AfterAll
  void end() {
    loaded.values().forEach(LoadedProgram::close);
    engine.close();
  }

  /** As many are counted: bins of all keys would take the emulator long. */
  private static int bins(int limit) {
    return Math.min(limit, 1500);
  }

  private LoadedProgram program(int limit, boolean hasPositions, ElementType counts, int capacity) {
    return loaded.computeIfAbsent(
        List.of(limit, hasPositions, counts, capacity),
        key -> {
          Input x = new Input("x", ElementType.INT, capacity);
          KeySort sort = KeySort.of("y.sort", x, limit, hasPositions);
          RunCounts runs = RunCounts.of("y", sort, counts, bins(limit));
          Set<String> visible =
              hasPositions
                  ? Set.of("y", sort.sorted(), sort.positions())
                  : Set.of("y", sort.sorted());
          return engine.load(
              Program.of(List.of(x), List.of(Composite.of("y", List.of(sort, runs), visible))),
              Map.of());
        });
  }

  private static int[] fetch(LoadedProgram program, String array) {
    int[] values = new int[program.length(array)];
    if (values.length > 0) {
      program.fetch(array, MemorySegment.ofArray(values));
    }
    return values;
  }

  /** Sorts, and compares with a sort of (compared bits, position). */
  private void check(int[] keys, int limit, boolean hasPositions, String message) {
    check(keys, limit, hasPositions, message, capacity(keys.length));
  }

  private void check(int[] keys, int limit, boolean hasPositions, String message, int capacity) {
    int bits = KeySort.of("s", new Input("x", ElementType.INT, 1), limit, false).bits();
    long[] sorted =
        IntStream.range(0, keys.length)
            .mapToLong(i -> (keys[i] & (1L << bits) - 1) << 32 | i)
            .sorted()
            .toArray();
    ElementType type = limit % 2 == 0 ? ElementType.INT : ElementType.LONG;
    LoadedProgram program = program(limit, hasPositions, type, capacity);
    program.set("x", MemorySegment.ofArray(keys));
    program.run();
    String where = "%s, n=%d, limit=%d%s".formatted(message, keys.length, limit, Seed.replay());
    int[] order = Arrays.stream(sorted).mapToInt(pair -> (int) pair).toArray();
    int[] expected = Arrays.stream(order).map(i -> keys[i]).toArray();
    assertArrayEquals(expected, fetch(program, "y.sort.keys"), where);
    if (hasPositions) {
      assertArrayEquals(order, fetch(program, "y.sort.positions"), where);
    }
    if (Arrays.stream(keys).anyMatch(key -> key < 0 || key >= limit)) {
      return;
    }
    int bins = bins(limit);
    long[] counts = new long[bins];
    Arrays.stream(keys).filter(key -> key < bins).forEach(key -> counts[key]++);
    assertEquals((int) Arrays.stream(counts).sum(), program.result("y.counted"), where);
    if (type == ElementType.INT) {
      int[] ints = Arrays.stream(counts).mapToInt(Math::toIntExact).toArray();
      assertArrayEquals(ints, fetch(program, "y"), where);
    } else {
      long[] longs = new long[bins];
      program.fetch("y", MemorySegment.ofArray(longs));
      assertArrayEquals(counts, longs, where);
    }
  }

  /** Patterns of keys: uniform, constant, sorted, descending, alternating, 90 % in one. */
  static Map<String, IntUnaryOperator> patterns(int limit, int length, SplittableRandom random) {
    int hot = random.nextInt(limit);
    Map<String, IntUnaryOperator> patterns = new TreeMap<>();
    patterns.put("uniform", i -> random.nextInt(limit));
    patterns.put("constant", i -> hot);
    patterns.put("last", i -> limit - 1);
    patterns.put("sorted", i -> (int) ((long) limit * i / length));
    patterns.put("descending", i -> limit - 1 - (int) ((long) limit * i / length));
    patterns.put("alternating", i -> i % 2 == 0 ? 0 : limit - 1);
    patterns.put("hot", i -> random.nextInt(10) == 0 ? random.nextInt(limit) : hot);
    return patterns;
  }

  private static int[] keys(int length, IntUnaryOperator pattern) {
    return IntStream.range(0, length).map(pattern).toArray();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void lengthsAroundEveryBoundary(boolean hasPositions) {
    SplittableRandom random = Seed.random("boundary" + hasPositions);
    List<Integer> all = new ArrayList<>(lengths());
    all.addAll(longLengths());
    for (int length : all) {
      for (int limit : limits()) {
        Map<String, IntUnaryOperator> patterns = patterns(limit, length, random);
        for (Map.Entry<String, IntUnaryOperator> pattern : patterns.entrySet()) {
          if (random.nextInt(10) >= tenthsTried(length)) {
            continue;
          }
          check(keys(length, pattern.getValue()), limit, hasPositions, pattern.getKey());
        }
      }
    }
  }

  /** One to six passes, with digits of every width and limits next to powers of two. */
  @Test
  void anyLimit() {
    SplittableRandom random = Seed.random("limits");
    for (int bits = 1; bits <= 22; bits++) {
      for (int limit : new int[] {(1 << bits) - 1, 1 << bits, (1 << bits) + 1}) {
        if (limit > 1 && isTried(bits, random)) {
          check(
              keys(5000, i -> i < 4 ? limit - 1 : random.nextInt(limit)),
              limit,
              random.nextBoolean(),
              "uniform");
        }
      }
    }
  }

  /** Keys of 31 bits, without the counts, which would be as many. */
  @Test
  void allPositiveInts() {
    SplittableRandom random = Seed.random("all");
    Input x = new Input("x", ElementType.INT, 9000);
    KeySort sort = KeySort.of("sort", x, Integer.MAX_VALUE, true);
    RunCounts runs = RunCounts.of("y", sort, ElementType.INT, 3);
    Composite both =
        Composite.of("y", List.of(sort, runs), Set.of("y", sort.sorted(), sort.positions()));
    int[] keys = keys(9000, i -> random.nextInt(Integer.MAX_VALUE));
    keys[17] = Integer.MAX_VALUE - 1;
    keys[18] = 0;
    keys[8999] = 2;
    try (LoadedProgram program = engine.load(Program.of(List.of(x), List.of(both)), Map.of())) {
      program.set("x", MemorySegment.ofArray(keys));
      program.run();
      assertArrayEquals(
          Arrays.stream(keys).sorted().toArray(), fetch(program, "sort.keys"), Seed.replay());
      int below = (int) Arrays.stream(keys).filter(key -> key < 3).count();
      assertEquals(below, program.result("y.counted"), Seed.replay());
      int[] places = fetch(program, "sort.positions");
      assertArrayEquals(
          Arrays.stream(places).map(i -> keys[i]).toArray(), fetch(program, "sort.keys"));
    }
  }

  /** Whatever the keys, there is a place for each; order is by the bits compared. */
  @Test
  void keysOutsideOfTheLimit() {
    SplittableRandom random = Seed.random("outside");
    for (int limit : new int[] {1, 60, 1000, 100_000}) {
      check(keys(5000, i -> random.nextInt()), limit, true, "any");
      check(keys(5000, i -> -1), limit, true, "-1");
      check(keys(5000, i -> i % 2 == 0 ? Integer.MIN_VALUE : limit), limit, false, "extremes");
    }
  }

  @Test
  void randomRuns_equalTheSort() {
    SplittableRandom random = Seed.random("runs");
    int[] limits = {2, 10, 64, 256, 1000, 65_536, 300_000};
    for (int run = 0; run < randomRuns(); run++) {
      int length = random.nextInt(1, 1 << random.nextInt(1, 14));
      int limit = limits[random.nextInt(limits.length)];
      Map<String, IntUnaryOperator> patterns = patterns(limit, length, random);
      String pattern = List.copyOf(patterns.keySet()).get(random.nextInt(patterns.size()));
      check(keys(length, patterns.get(pattern)), limit, random.nextBoolean(), pattern);
    }
  }

  /** Their starts are made by larger blocks. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5000})
  void capacitiesOfMoreTilesThanAWarpTakesAtOnce(int length) {
    SplittableRandom random = Seed.random("many tiles" + length);
    int capacity = 128 * KeySortKernels.TILE;
    check(random.ints(length, 0, 64).toArray(), 64, true, "of many tiles", capacity);
  }
}
