package funnel.group;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Exact;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.operation.Target;
import funnel.operator.AffineMaps;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.select.Select;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What groups are on every engine; the oracle is a map of lists of rows. */
abstract class GroupByContract extends EngineContract {

  private static final int[] DISTINCT = {1, 3, 1000, 1 << 30};

  /** Of more rows exact results take too long to compute. */
  private static final int EXACT = 100_000;

  /**
   * All of one column: a device compiles the kernels of each plan anew, so that few plans serve
   * many data.
   */
  private static final GroupBy STATISTICS =
      GroupBy.of(
          Aggregate.count(),
          Aggregate.first(1),
          Aggregate.last(1),
          Aggregate.argMin(1),
          Aggregate.argMax(1),
          Aggregate.min(1),
          Aggregate.sum(1),
          Aggregate.mean(1),
          Aggregate.variance(1),
          Aggregate.sampleVariance(1),
          Aggregate.sumAsDouble(1));

  private static Collection<List<Integer>> groups(long[] keys) {
    Map<Long, List<Integer>> rows = new TreeMap<>();
    for (int i = 0; i < keys.length; i++) {
      rows.computeIfAbsent(keys[i], _ -> new ArrayList<>()).add(i);
    }
    return rows.values();
  }

  private static long[] of(Collection<List<Integer>> groups, ToLongFunction<List<Integer>> value) {
    return groups.stream().mapToLong(value).toArray();
  }

  /** {@link AffineMaps#FOLLOWED_BY}. */
  private static long followedBy(long left, long right) {
    long h = left >>> 32;
    long b = left & 0xffffffffL;
    long k = right >>> 32;
    long d = right & 0xffffffffL;
    return ((2 * h * k + h + k) << 32) | ((b * (2 * k + 1) + d) & 0xffffffffL);
  }

  private static long[] longs(Results results, String name, ElementType type) {
    return type == ElementType.LONG
        ? results.longs(name)
        : IntStream.of(results.ints(name)).asLongStream().toArray();
  }

  @ParameterizedTest
  @EnumSource(names = {"INT", "LONG"})
  void aggregatesOfIntegers(ElementType type) {
    SplittableRandom random = Seed.random("groups" + type);
    GroupBy groupBy =
        GroupBy.of(
            Aggregate.count(),
            Aggregate.sum(1),
            Aggregate.min(1),
            Aggregate.max(2),
            Aggregate.first(1),
            Aggregate.last(3),
            Aggregate.of(AffineMaps.FOLLOWED_BY, 3));
    int most = most();
    try (Plan plan =
        funnel
            .plan("p")
            .input("k", type, most)
            .input("a", ElementType.INT, most)
            .input("b", ElementType.BYTE, most)
            .input("c", ElementType.LONG, most)
            .add("g", groupBy, "k", "a", "b", "c")
            .build()) {
      for (int length : lengths()) {
        int distinct = DISTINCT[random.nextInt(DISTINCT.length)];
        long[] keys = Values.random(random, length, distinct);
        Values a = Values.random(ElementType.INT, length, random);
        Values b = Values.random(ElementType.BYTE, length, random);
        long[] c = random.longs(length).toArray();
        Results got =
            plan.run(
                Map.of(
                    "k",
                    Values.of(type, keys).elements(),
                    "a",
                    a.elements(),
                    "b",
                    b.elements(),
                    "c",
                    Elements.of(c)));
        Collection<List<Integer>> groups = groups(keys);
        String what = "%s, %s of %s%s".formatted(type, length, distinct, Seed.replay());
        assertArrayEquals(of(groups, g -> keys[g.getFirst()]), longs(got, "g", type), what);
        assertArrayEquals(of(groups, List::size), longs(got, "g_1", ElementType.INT), what);
        assertArrayEquals(
            of(groups, g -> g.stream().mapToLong(a::longAt).sum()), got.longs("g_2"), what);
        assertArrayEquals(
            of(groups, g -> g.stream().mapToLong(a::longAt).min().orElseThrow()),
            longs(got, "g_3", ElementType.INT),
            what);
        assertArrayEquals(
            of(groups, g -> g.stream().mapToLong(b::longAt).max().orElseThrow()),
            longs(got, "g_4", ElementType.INT),
            what);
        assertArrayEquals(
            of(groups, g -> a.longAt(g.getFirst())), longs(got, "g_5", ElementType.INT), what);
        assertArrayEquals(of(groups, g -> c[g.getLast()]), got.longs("g_6"), what);
        assertArrayEquals(
            of(
                groups,
                g -> g.stream().map(i -> c[i]).reduce(GroupByContract::followedBy).orElseThrow()),
            got.longs("g_7"),
            what);
      }
    }
  }

  /** Rows in the order of groups, moved with the keys or gathered, once or twice. */
  @ParameterizedTest
  @Types
  void lists(ElementType type) {
    SplittableRandom random = Seed.random("lists" + type);
    List<GroupBy> all =
        List.of(
            GroupBy.of(Aggregate.list(1), Aggregate.offsets(), Aggregate.list(1)),
            GroupBy.of(Aggregate.rows(), Aggregate.offsets(), Aggregate.list(1)),
            GroupBy.of(Aggregate.rows(), Aggregate.offsets(), Aggregate.list(1)).keys(2),
            GroupBy.of(Aggregate.rows(), Aggregate.offsets(), Aggregate.list(1)).runs());
    for (int length : new int[] {0, 1, Math.min(most(), 5000)}) {
      long[] keys = LongStream.range(0, length).map(_ -> random.nextInt(-9, 9)).toArray();
      Values x = Values.random(type, length, random);
      for (GroupBy by : all) {
        long[] wanted = by.isOfRuns() ? LongStream.of(keys).sorted().toArray() : keys;
        Elements[] inputs =
            by.arraysOfKeys() == 1
                ? new Elements[] {Elements.of(wanted), x.elements()}
                : new Elements[] {Elements.of(wanted), Elements.of(wanted), x.elements()};
        Results got = funnel.run(by, inputs);
        Collection<List<Integer>> groups = groups(wanted);
        int[] rows = groups.stream().flatMap(List::stream).mapToInt(row -> row).toArray();
        int[] offsets = new int[groups.size()];
        int before = 0;
        int g = 0;
        for (List<Integer> group : groups) {
          offsets[g++] = before;
          before += group.size();
        }
        String what = "%s, %s of %s%s".formatted(by, length, type, Seed.replay());
        assertArrayEquals(offsets, got.ints("result_2"), what);
        Elements list = got.elements("result_3");
        assertEquals(length, list.length(), what);
        assertEquals(-1, list.segment().mismatch(at(x, rows).elements().segment()), what);
        if (by.aggregates().getFirst().column() == 0) {
          assertArrayEquals(rows, got.ints("result_1"), what);
        } else {
          assertEquals(-1, got.elements("result_1").segment().mismatch(list.segment()), what);
        }
      }
    }
    assertThrows(IllegalArgumentException.class, () -> Aggregate.list(0));
  }

  private static Values at(Values x, int[] rows) {
    Values y = Values.ofLength(x.type(), rows.length);
    for (int i = 0; i < rows.length; i++) {
      y.put(i, x.at(rows[i]));
    }
    return y;
  }

  @ParameterizedTest
  @Types
  void statistics(ElementType type) {
    meansAndSums(type);
    variancesAndWhere(type);
    keysCloseAndFarApart(type);
    variancesOfNumbersFarFromZero(type);
  }

  private void meansAndSums(ElementType type) {
    SplittableRandom random = Seed.random("means" + type);
    int length = Math.min(most(), EXACT);
    long[] keys = random.longs(length, 0, 50).toArray();
    Values x = Values.random(type, length, random);
    Results got = funnel.run(STATISTICS, Elements.of(keys), x.elements());
    double[] means = got.doubles("result_8");
    int at = 0;
    for (List<Integer> group : groups(keys)) {
      Exact exact = exact(x, group);
      exact.requireMean(means[at], group.size() + 1, type + Seed.replay());
      exact.requireSum(got.doubles("result_11")[at], group.size() + 1, type + Seed.replay());
      if (type.isFloating()) {
        exact.requireSum(got.doubles("result_7")[at], group.size() + 1, type + Seed.replay());
      }
      at++;
    }
    assertEquals(at, means.length);
  }

  private void variancesAndWhere(ElementType type) {
    SplittableRandom random = Seed.random("variances" + type);
    int length = most();
    long[] keys = random.longs(length, 0, 50).toArray();
    keys[length / 2] = 77;
    Values x = Values.random(type, length, random);
    for (int i = 0; i < length; i += 2) {
      x.put(i, random.nextInt(3)); // ties
    }
    for (int i = 0; i < length && type.isFloating(); i += 3) {
      x.put(i, 0.0 * random.nextInt(-1, 2)); // zeros of both signs
      x.put(i / 40, x.doubleAt(i / 40) + 1e6);
    }
    if (type.isFloating()) {
      x.put(length / 3, Double.NaN);
    }
    Results got = funnel.run(STATISTICS, Elements.of(keys), x.elements());
    Collection<List<Integer>> groups = groups(keys);
    String what = type + Seed.replay();
    Comparator<Integer> byValue =
        type.isFloating()
            ? Comparator.comparingDouble(x::doubleAt)
            : Comparator.comparingLong(x::longAt);
    // NaN is the largest by these, and the least here too
    Comparator<Integer> least =
        Comparator.<Integer, Boolean>comparing(i -> !Double.isNaN(x.doubleAt(i)))
            .thenComparing(byValue);
    assertArrayEquals(
        of(groups, g -> g.stream().min(least.thenComparing(i -> i)).orElseThrow()),
        longs(got, "result_4", ElementType.INT),
        what);
    assertArrayEquals(
        of(groups, g -> g.stream().min(byValue.reversed().thenComparing(i -> i)).orElseThrow()),
        longs(got, "result_5", ElementType.INT),
        what);
    int at = 0;
    for (List<Integer> group : groups) {
      if (length <= EXACT || at % 10 == 0) {
        requireVariances(got, at, x, group, what);
      }
      at++;
    }
    Elements sorted = Elements.of(LongStream.of(keys).sorted().toArray());
    Results runs = funnel.run(STATISTICS.runs(), sorted, x.elements());
    try (Funnel jvm = Funnel.open(Target.JVM)) {
      Results expected = jvm.run(STATISTICS, Elements.of(keys), x.elements());
      Results ofRuns = jvm.run(STATISTICS.runs(), sorted, x.elements());
      for (String name : List.of("result_8", "result_9", "result_10")) {
        assertArrayEquals(expected.doubles(name), got.doubles(name), what);
        assertArrayEquals(ofRuns.doubles(name), runs.doubles(name), what);
      }
      assertArrayEquals(ofRuns.ints("result_4"), runs.ints("result_4"), what);
    }
  }

  private static Exact exact(Values x, List<Integer> group) {
    return Exact.of(x, group.stream().mapToInt(i -> i));
  }

  private static void requireVariances(
      Results got, int at, Values x, List<Integer> group, String what) {
    Exact exact = exact(x, group);
    double units = 2 * group.size() + 8;
    exact.requireVariance(0, got.doubles("result_9")[at], units, what);
    exact.requireVariance(1, got.doubles("result_10")[at], units, what);
  }

  private void variancesOfNumbersFarFromZero(ElementType type) {
    SplittableRandom random = Seed.random("far from zero" + type);
    int length = Math.min(most(), EXACT);
    long[] keys = random.longs(length, 0, 20).toArray();
    long[] sorted = LongStream.of(keys).sorted().toArray();
    for (Values x : Values.closeToEachOther(type, length, random)) {
      if (target() == Target.EMULATOR && !Seed.draws(random, 2)) {
        continue;
      }
      Results got = funnel.run(STATISTICS, Elements.of(keys), x.elements());
      Results runs = funnel.run(STATISTICS.runs(), Elements.of(sorted), x.elements());
      int at = 0;
      for (List<Integer> group : groups(keys)) {
        requireVariances(got, at++, x, group, type + Seed.replay());
      }
      at = 0;
      for (List<Integer> group : groups(sorted)) {
        requireVariances(runs, at++, x, group, type + " runs" + Seed.replay());
      }
    }
  }

  /** The JVM has tables of keys that are close, hashes others if few are distinct, or sorts. */
  private void keysCloseAndFarApart(ElementType type) {
    SplittableRandom random = Seed.random("far" + type);
    int length = most();
    int distinct = DISTINCT[random.nextInt(3)];
    long[] close = Values.random(random, length, distinct);
    long[] far = LongStream.of(close).map(k -> k * 5_000_000_001L).toArray();
    Values x = Values.random(type, length, random);
    Results expected = funnel.run(STATISTICS, Elements.of(far), x.elements());
    Results got = funnel.run(STATISTICS, Elements.of(close), x.elements());
    int[] order =
        IntStream.range(0, length)
            .boxed()
            .sorted(Comparator.comparingLong(i -> far[i]))
            .mapToInt(i -> i)
            .toArray();
    Values column = Values.ofLength(type, length);
    for (int i = 0; i < length; i++) {
      if (type.isFloating()) {
        column.put(i, x.doubleAt(order[i]));
      } else {
        column.put(i, x.longAt(order[i]));
      }
    }
    Results sorted =
        funnel.run(
            STATISTICS.runs(),
            Elements.of(LongStream.of(far).sorted().toArray()),
            column.elements());
    String what = "%s, %s%s".formatted(type, distinct, Seed.replay());
    assertArrayEquals(sorted.longs("result"), expected.longs("result"), what);
    assertArrayEquals(
        expected.longs("result"),
        LongStream.of(got.longs("result")).map(k -> k * 5_000_000_001L).toArray(),
        what);
    for (int a = 1; a <= 10; a++) {
      String name = "result_" + a;
      assertEquals(-1, memory(expected, name).mismatch(memory(got, name)), name + what);
      boolean isPosition = a == 4 || a == 5;
      if (!isPosition) {
        assertEquals(-1, memory(sorted, name).mismatch(memory(got, name)), name + what);
      }
    }
  }

  /** An array of any type. */
  private static MemorySegment memory(Results results, String name) {
    List<Supplier<MemorySegment>> types =
        List.of(
            () -> MemorySegment.ofArray(results.bytes(name)),
            () -> MemorySegment.ofArray(results.ints(name)),
            () -> MemorySegment.ofArray(results.longs(name)),
            () -> MemorySegment.ofArray(results.floats(name)));
    for (Supplier<MemorySegment> type : types) {
      try {
        return type.get();
      } catch (IllegalArgumentException e) {
        continue; // of another type
      }
    }
    return MemorySegment.ofArray(results.doubles(name));
  }

  private static double[] doubles(float[] values) {
    return IntStream.range(0, values.length).mapToDouble(i -> values[i]).toArray();
  }

  /** A single column of 4 bytes goes along with the keys, whatever its bits are. */
  @ParameterizedTest
  @EnumSource(names = {"INT", "LONG"})
  void columnsThatGoAlong(ElementType type) {
    SplittableRandom random = Seed.random("along" + type);
    ElementType ofColumn = type == ElementType.INT ? ElementType.FLOAT : ElementType.INT;
    GroupBy groupBy =
        GroupBy.of(
            Aggregate.first(2),
            Aggregate.last(2),
            Aggregate.min(2),
            Aggregate.max(2),
            Aggregate.mean(2));
    int most = most();
    try (Plan plan =
        funnel
            .plan("p")
            .input("k", type, most)
            .input("a", ElementType.BYTE, most)
            .input("x", ofColumn, most)
            .add("g", groupBy, "k", "a", "x")
            .build()) {
      for (int length : lengths()) {
        long[] keys = Values.random(random, length, DISTINCT[random.nextInt(DISTINCT.length)]);
        Values x = Values.random(ofColumn, length, random);
        for (int i = 0; i < length && ofColumn.isFloating(); i += 3) {
          x.put(i, i % 2 == 0 ? Double.NaN : -0.0);
        }
        Elements none = Elements.of(new byte[length]);
        Results got =
            plan.run(Map.of("k", Values.of(type, keys).elements(), "a", none, "x", x.elements()));
        Collection<List<Integer>> groups = groups(keys);
        String what = type + ", " + length + Seed.replay();
        List<ToDoubleFunction<List<Integer>>> expected =
            List.of(
                g -> x.doubleAt(g.getFirst()),
                g -> x.doubleAt(g.getLast()),
                g -> g.stream().mapToDouble(x::doubleAt).reduce(Math::min).orElseThrow(),
                g -> g.stream().mapToDouble(x::doubleAt).reduce(Math::max).orElseThrow());
        assertArrayEquals(of(groups, g -> keys[g.getFirst()]), longs(got, "g", type), what);
        for (int a = 1; a <= 4; a++) {
          String name = "g_" + a;
          double[] found =
              ofColumn == ElementType.INT
                  ? IntStream.of(got.ints(name)).asDoubleStream().toArray()
                  : doubles(got.floats(name));
          ToDoubleFunction<List<Integer>> each = expected.get(a - 1);
          assertArrayEquals(groups.stream().mapToDouble(each).toArray(), found, name + what);
        }
        double[] means =
            groups.stream()
                .mapToDouble(g -> g.stream().mapToDouble(x::doubleAt).sum() / g.size())
                .toArray();
        assertArrayEquals(means, got.doubles("g_5"), ofColumn.isFloating() ? 1e-9 : 1e-3, what);
      }
    }
  }

  private record Pair(long first, long second) {}

  @ParameterizedTest
  @EnumSource(names = {"INT", "LONG"})
  void severalKeys(ElementType type) {
    SplittableRandom random = Seed.random("several" + type);
    int most = most();
    GroupBy groupBy = GroupBy.of(Aggregate.count(), Aggregate.argMax(1), Aggregate.last(1)).keys(2);
    try (Plan plan =
        funnel
            .plan("p")
            .input("k", type, most)
            .input("l", ElementType.INT, most)
            .input("x", ElementType.INT, most)
            .add("g", groupBy, "k", "l", "x")
            .add("r", groupBy.runs(), "k", "l", "x")
            .build()) {
      for (int length : lengths()) {
        long far = type == ElementType.LONG ? 1L << 40 : 1 << 28; // differences wrap around
        long[] k = random.longs(length, -8, 8).map(v -> v * far).toArray();
        long[] l = random.longs(length, -2, 3).map(v -> v << 29).toArray();
        Values x = Values.random(ElementType.INT, length, random);
        Map<Pair, List<Integer>> groups =
            new TreeMap<>(Comparator.comparingLong(Pair::first).thenComparingLong(Pair::second));
        List<List<Integer>> runs = new ArrayList<>();
        for (int i = 0; i < length; i++) {
          groups.computeIfAbsent(new Pair(k[i], l[i]), _ -> new ArrayList<>()).add(i);
          if (i == 0 || k[i] != k[i - 1] || l[i] != l[i - 1]) {
            runs.add(new ArrayList<>());
          }
          runs.getLast().add(i);
        }
        Results got =
            plan.run(
                Map.of(
                    "k",
                    Values.of(type, k).elements(),
                    "l",
                    Values.of(ElementType.INT, l).elements(),
                    "x",
                    x.elements()));
        Map.of("g", groups.values(), "r", runs)
            .forEach(
                (name, of) -> {
                  String what = name + length + Seed.replay();
                  ElementType ints = ElementType.INT;
                  assertArrayEquals(of(of, g -> k[g.getFirst()]), longs(got, name, type), what);
                  assertArrayEquals(
                      of(of, g -> l[g.getFirst()]), longs(got, name + "_key_2", ints), what);
                  assertArrayEquals(of(of, List::size), longs(got, name + "_1", ints), what);
                  assertArrayEquals(
                      of(
                          of,
                          g ->
                              g.stream()
                                  .max(
                                      Comparator.<Integer>comparingLong(x::longAt)
                                          .thenComparing(Comparator.reverseOrder()))
                                  .orElseThrow()),
                      longs(got, name + "_2", ints),
                      what);
                  assertArrayEquals(
                      of(of, g -> x.longAt(g.getLast())), longs(got, name + "_3", ints), what);
                });
      }
    }
  }

  @Test
  void runsAndWhatFollows() {
    int[] keys = {5, 5, 2, 2, 2, 5};
    int[] x = {1, 2, 3, 4, 5, 6};
    GroupBy groups = GroupBy.of(Aggregate.sum(1), Aggregate.count()).runs();
    Results runs = funnel.run(groups, Elements.of(keys), Elements.of(x));
    assertArrayEquals(new int[] {5, 2, 5}, runs.ints("result"));
    assertArrayEquals(new long[] {3, 12, 6}, runs.longs("result_1"));
    assertArrayEquals(new int[] {2, 3, 1}, runs.ints("result_2"));
    Transform odd = Transform.testInt("odd", v -> (v & 1) == 1);
    try (Plan plan =
        funnel
            .plan("chain")
            .input("k", ElementType.INT, 6)
            .input("x", ElementType.INT, 6)
            .add("kept", Select.where(odd).rows(), "x", "k", "x")
            .add("g", GroupBy.of(Aggregate.max(1)), "kept_1", "kept_2")
            .build()) {
      Results got = plan.run(Map.of("k", Elements.of(keys), "x", Elements.of(x)));
      assertArrayEquals(new int[] {2, 5}, got.ints("g"));
      assertArrayEquals(new int[] {5, 1}, got.ints("g_1"));
    }
    Elements none = Elements.of(new int[0]);
    Results empty = funnel.run(GroupBy.of(Aggregate.mean(1)), none, none);
    assertEquals(0, empty.ints("result").length);
    assertEquals(0, empty.doubles("result_1").length);
    assertArrayEquals(new int[] {2, 5}, funnel.run(GroupBy.of(), Elements.of(keys)).ints("result"));
  }

  @Test
  void whatIsNotTaken_isNamed() {
    Plan.Builder plan =
        funnel.plan("p").input("x", ElementType.INT, 5).input("f", ElementType.FLOAT, 5);
    Map<Runnable, String> messages =
        Map.of(
            () -> plan.add("a", GroupBy.of(Aggregate.sum(1)), "x"), "there is no column 1",
            () -> plan.add("a", GroupBy.of(Aggregate.sum(2)), "x", "x"), "there is no column 2",
            () -> plan.add("a", GroupBy.of(Aggregate.count()), "f"), "input f is of type FLOAT",
            () -> plan.add("a", GroupBy.of(Aggregate.of(Operator.AND, 1)), "x", "f"), "and",
            () -> Aggregate.sum(0), "column=0",
            () -> GroupBy.of().keys(0), "arrays of keys=0",
            () -> plan.add("a", GroupBy.of(Aggregate.sum(1)).keys(2), "x", "x"),
                "there is no column 1",
            () ->
                    funnel.run(
                        GroupBy.of(Aggregate.first(1)).runs(),
                        Elements.of(new int[3]),
                        Elements.of(new int[2])),
                "length of input1=3, length of input2=2",
            () ->
                    funnel.run(
                        GroupBy.of().keys(2), Elements.of(new int[2]), Elements.of(new int[3])),
                "length of input1=2, length of input2=3",
            () ->
                    funnel.run(
                        GroupBy.of(Aggregate.sum(1)),
                        Elements.of(new int[2]),
                        Elements.of(new int[3])),
                "length of input1=2, length of input2=3");
    messages.forEach(
        (run, message) -> {
          String given = assertThrows(IllegalArgumentException.class, run::run).getMessage();
          assertTrue(String.valueOf(given).contains(message), given);
        });
  }
}
