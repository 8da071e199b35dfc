package funnel.group;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Values;
import funnel.operation.OutputTooShortException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.select.Select;
import funnel.sort.SortOracle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What joins are on every engine; the oracle is a map of lists of rows. */
abstract class JoinContract extends EngineContract {

  /** The right positions that match each left row. */
  private static List<List<Integer>> matches(long[] left, long[] right) {
    Map<Long, List<Integer>> rows = new HashMap<>();
    for (int i = 0; i < right.length; i++) {
      rows.computeIfAbsent(right[i], _ -> new ArrayList<>()).add(i);
    }
    return LongStream.of(left).mapToObj(key -> rows.getOrDefault(key, List.of())).toList();
  }

  /** At an offset of its own. */
  private static Elements keys(ElementType type, long[] keys, int offset) {
    Values all = SortOracle.at(type, offset, Values.of(type, keys));
    return all.elements(offset, offset + keys.length);
  }

  private static void check(Results got, long[] left, long[] right, String what) {
    List<List<Integer>> matches = matches(left, right);
    int[] rows = IntStream.range(0, left.length).toArray();
    assertArrayEquals(
        IntStream.of(rows).flatMap(i -> matches.get(i).stream().mapToInt(_ -> i)).toArray(),
        got.ints("inner_left"),
        what);
    assertArrayEquals(
        matches.stream().flatMapToInt(m -> m.stream().mapToInt(j -> j)).toArray(),
        got.ints("inner_right"),
        what);
    assertArrayEquals(
        IntStream.of(rows)
            .flatMap(i -> IntStream.generate(() -> i).limit(Math.max(1, matches.get(i).size())))
            .toArray(),
        got.ints("left_left"),
        what);
    assertArrayEquals(
        matches.stream()
            .flatMapToInt(m -> (m.isEmpty() ? List.of(-1) : m).stream().mapToInt(j -> j))
            .toArray(),
        got.ints("left_right"),
        what);
    assertArrayEquals(
        IntStream.of(rows).filter(i -> !matches.get(i).isEmpty()).toArray(),
        got.ints("semi"),
        what);
    assertArrayEquals(
        IntStream.of(rows).filter(i -> matches.get(i).isEmpty()).toArray(), got.ints("anti"), what);
  }

  private static Plan.Builder joins(Plan.Builder builder, int capacity, boolean isSorted) {
    Join inner = Join.inner(capacity);
    Join left = Join.left(capacity);
    return builder
        .add("inner", isSorted ? inner.sortedRight() : inner, "a", "b")
        .add("left", isSorted ? left.sortedRight() : left, "a", "b")
        .add("semi", isSorted ? Join.semi().sortedRight() : Join.semi(), "a", "b")
        .add("anti", isSorted ? Join.anti().sortedRight() : Join.anti(), "a", "b");
  }

  private Plan plan(ElementType type, int capacity, boolean isSorted) {
    Plan.Builder tables = funnel.plan("p").input("a", type, most()).input("b", type, most());
    return joins(tables, capacity, isSorted).build();
  }

  @ParameterizedTest
  @EnumSource(names = {"INT", "LONG"})
  void tablesOfAllLengths(ElementType type) {
    SplittableRandom random = Seed.random("joins" + type);
    int capacity = 6 * most();
    try (Plan plan = plan(type, capacity, false);
        Plan sorted = plan(type, capacity, true)) {
      for (int length : lengths()) {
        int other = random.nextInt(4) == 0 ? length : lengths()[random.nextInt(lengths().length)];
        long few = Math.max(1, Math.max(length, other) / 3);
        long distinct = random.nextBoolean() ? few : type == ElementType.INT ? 1L << 32 : 1L << 40;
        for (int[] of : new int[][] {{length, other}, {other, length}}) {
          long[] left = Values.random(random, of[0], distinct);
          long[] right = Values.random(random, of[1], distinct);
          String what =
              "%s, %s and %s of %s%s".formatted(type, of[0], of[1], distinct, Seed.replay());
          Elements a = keys(type, left, random.nextInt(5));
          int lead = random.nextInt(5);
          check(plan.run(Map.of("a", a, "b", keys(type, right, lead))), left, right, what);
          Arrays.sort(right);
          check(sorted.run(Map.of("a", a, "b", keys(type, right, lead))), left, right, what);
        }
      }
    }
  }

  /** One key with most matches, no row matches, all match, and the least and largest keys. */
  @ParameterizedTest
  @EnumSource(names = {"INT", "LONG"})
  void keysOfAllKinds(ElementType type) {
    SplittableRandom random = Seed.random("kinds" + type);
    int n = most();
    long least = type == ElementType.INT ? Integer.MIN_VALUE : Long.MIN_VALUE;
    long[] ends = {least, -1, 0, 1, least + 1, -least - 2, -least - 1}; // the largest: -1 - least
    long[] ascending = LongStream.range(0, n).toArray();
    long[] skewed = LongStream.of(ascending).map(i -> i % 16 == 0 ? i : 7).toArray();
    long[] extreme =
        LongStream.generate(() -> ends[random.nextInt(ends.length)]).limit(50).toArray();
    long[] above = LongStream.of(ascending).map(i -> i + n).toArray();
    long[] turned = LongStream.of(ascending).map(i -> n - 1 - i).toArray();
    long[] one = {7};
    try (Plan plan = plan(type, 2 * n, false)) {
      for (long[][] tables :
          new long[][][] {
            {one, skewed},
            {skewed, one},
            {skewed, ascending},
            {ascending, skewed},
            {ascending, above},
            {above, ascending},
            {ascending, turned},
            {extreme, Arrays.copyOf(extreme, 20)},
            {ends, ends},
            {new long[0], ascending},
            {ascending, new long[0]},
            {new long[0], new long[0]}
          }) {
        String what = "%s, %s and %s".formatted(type, tables[0].length, tables[1].length);
        Elements a = keys(type, tables[0], 1);
        check(
            plan.run(Map.of("a", a, "b", keys(type, tables[1], 2))),
            tables[0],
            tables[1],
            what + Seed.replay());
      }
    }
  }

  /** Only so many pairs fit, and their number may be more than an int's. */
  @Test
  void moreThanFit_areRefusedWithTheirNumber_andNothingIsWritten() {
    int n = most();
    Elements left = Elements.of(new int[n]);
    Elements right = Elements.of(new int[n]);
    int[] to = IntStream.generate(() -> 5).limit(n).toArray();
    int[] partner = to.clone();
    Map<String, Elements> into =
        Map.of("result_left", Elements.of(to), "result_right", Elements.of(partner));
    Join join = Join.inner(n);
    OutputTooShortException many =
        assertThrows(OutputTooShortException.class, () -> funnel.run(join, into, left, right));
    assertEquals((long) n * n, many.found());
    assertArrayEquals(IntStream.generate(() -> 5).limit(n).toArray(), to);
    assertArrayEquals(to, partner);
    Elements one = Elements.of(new int[] {0});
    funnel.run(join, into, one, right);
    assertArrayEquals(new int[n], to);
    assertArrayEquals(IntStream.range(0, n).toArray(), partner);
    OutputTooShortException none =
        assertThrows(OutputTooShortException.class, () -> funnel.run(Join.inner(0), one, one));
    assertEquals(1, none.found());
    assertEquals(
        "inner join result has more pairs than its capacity: found=1, capacity=0; use Join.inner(1)"
            + " or more",
        none.getMessage());
    assertEquals(
        0, funnel.run(Join.inner(0), one, Elements.of(new int[] {1})).ints("result_left").length);
  }

  /** Pairs of all rows of some, one row's being more than what kernels are checked with. */
  @Test
  void manyPairsOfARow() {
    int n = most();
    int[] right = IntStream.range(0, n).map(i -> i % 2).toArray();
    Results got =
        funnel.run(Join.inner(2 * n), Elements.of(new int[] {1, 5, 0, 1}), Elements.of(right));
    int[] odd = IntStream.range(0, n).filter(i -> i % 2 == 1).toArray();
    int[] even = IntStream.range(0, n).filter(i -> i % 2 == 0).toArray();
    assertArrayEquals(
        Stream.of(odd, even, odd).flatMapToInt(IntStream::of).toArray(), got.ints("result_right"));
  }

  /**
   * Right keys that are said to be sorted, and are not: the results of all engines are the same.
   */
  @Test
  void keysThatAreNotSorted() {
    SplittableRandom random = Seed.random("not sorted");
    Elements left = Elements.of(random.ints(300, 0, 50).toArray());
    Elements right = Elements.of(random.ints(200, 0, 50).toArray());
    try (Funnel emulator = Funnel.open(Target.EMULATOR)) {
      for (Join join : List.of(Join.inner(60_000), Join.semi(), Join.anti())) {
        Results expected = emulator.run(join.sortedRight(), left, right);
        Results got = funnel.run(join.sortedRight(), left, right);
        for (String name : expected.names()) {
          assertArrayEquals(expected.ints(name), got.ints(name), join + Seed.replay());
        }
      }
    }
  }

  /** Both tables are what a selection keeps, and what follows takes the pairs. */
  @Test
  void lengthsThatAreFound() {
    SplittableRandom random = Seed.random("found");
    Transform odd = Transform.testInt("odd", v -> (v & 1) == 1);
    int n = Math.min(most(), 3000);
    try (Plan plan =
        joins(
                funnel
                    .plan("p")
                    .input("x", ElementType.INT, n)
                    .input("y", ElementType.INT, n)
                    .add("a", Select.where(odd), "x")
                    .add(
                        "b",
                        Select.where(odd).rejecting().mapped(Transform.ofInt("next", v -> v + 1)),
                        "y"),
                n * 20,
                false)
            .add("g", GroupBy.of(Aggregate.count()), "inner_left")
            .build()) {
      for (int length : new int[] {n, 0, 1, n / 2}) {
        long[] x = Values.random(random, length, n / 3);
        long[] y = Values.random(random, n - length, n / 3);
        Results got =
            plan.run(Map.of("x", keys(ElementType.INT, x, 1), "y", keys(ElementType.INT, y, 0)));
        long[] left = LongStream.of(x).filter(v -> (v & 1) == 1).toArray();
        long[] right = LongStream.of(y).filter(v -> (v & 1) == 0).map(v -> v + 1).toArray();
        check(got, left, right, length + Seed.replay());
        assertArrayEquals(got.ints("semi"), got.ints("g"));
        assertArrayEquals(
            matches(left, right).stream().mapToInt(List::size).filter(m -> m > 0).toArray(),
            got.ints("g_1"));
      }
    }
  }

  /** For each row the last with its key at or before its time, by a tree of times for each key. */
  private static int[] lasts(long[] times, long[] others, long[] keys, long[] otherKeys) {
    Map<Long, TreeMap<Long, Integer>> rows = new HashMap<>();
    for (int j = 0; j < others.length; j++) {
      rows.computeIfAbsent(otherKeys[j], _ -> new TreeMap<>()).put(others[j], j);
    }
    return IntStream.range(0, times.length)
        .map(
            i -> {
              Map.Entry<Long, Integer> last =
                  rows.getOrDefault(keys[i], new TreeMap<>()).floorEntry(times[i]);
              return last == null ? -1 : last.getValue();
            })
        .toArray();
  }

  private void checkLasts(ElementType keyType, long[][] of, String what) {
    Elements times = keys(ElementType.LONG, of[0], 1);
    Elements others = keys(ElementType.LONG, of[1], 2);
    int[] got =
        funnel
            .run(Join.asOf(), times, others, keys(keyType, of[2], 0), keys(keyType, of[3], 3))
            .ints("result");
    assertArrayEquals(lasts(of[0], of[1], of[2], of[3]), got, what);
    int[] withoutKeys = funnel.run(Join.asOf(), times, others).ints("result");
    long[] none = new long[Math.max(of[0].length, of[1].length)];
    assertArrayEquals(lasts(of[0], of[1], none, none), withoutKeys, what);
  }

  /** Rows and keys of few bits and of many, in order of times and not, on both sides of others. */
  @ParameterizedTest
  @EnumSource(names = {"INT", "LONG"})
  void lastsOfAllLengths(ElementType type) {
    SplittableRandom random = Seed.random("lasts" + type);
    int[] timeBits = {1, 8, 20, 31, 40, 62, 64};
    for (int length : lengths()) {
      int other = lengths()[random.nextInt(lengths().length)];
      for (int draw = 0; draw < 4; draw++) {
        int bits = timeBits[random.nextInt(timeBits.length)];
        int keyBits = random.nextInt(1, type == ElementType.INT ? 33 : 65);
        long[] distinct = random.longs(50).map(v -> v >> 64 - keyBits).toArray();
        long[][] of = {
          random.longs(length).map(v -> v >> 64 - bits).toArray(),
          random.longs(other).map(v -> v >> 64 - bits).toArray(),
          random.ints(length, 0, 50).mapToLong(k -> distinct[k]).toArray(),
          random.ints(other, 0, 50).mapToLong(k -> distinct[k]).toArray()
        };
        if (random.nextBoolean()) {
          Arrays.sort(of[0]);
          Arrays.sort(of[1]);
        }
        if (random.nextInt(3) == 0) { // most left rows are before or after all others
          of[0] =
              LongStream.of(of[0])
                  .map(v -> v == 0 ? 0 : v < 0 ? Long.MIN_VALUE : Long.MAX_VALUE)
                  .toArray();
        }
        checkLasts(
            type,
            of,
            "%s and %s times of %s bits, keys of %s%s"
                .formatted(length, other, bits, keyBits, Seed.replay()));
      }
    }
  }

  /** The least and largest times and keys, whose differences are beyond longs. */
  @Test
  void lastsOfExtremes() {
    SplittableRandom random = Seed.random("extremes");
    long[] ends = {
      Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };
    for (int most = 1; most <= ends.length; most++) {
      int few = most;
      int from = random.nextInt(ends.length - few + 1);
      checkLasts(
          ElementType.LONG,
          Stream.of(70, 90, 70, 90)
              .map(n -> random.ints(n, from, from + few).mapToLong(e -> ends[e]).toArray())
              .toArray(long[][]::new),
          few + Seed.replay());
    }
  }

  @Test
  void whatIsNotTaken_isNamed() {
    Plan.Builder plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, 5)
            .input("y", ElementType.LONG, 5)
            .input("f", ElementType.FLOAT, 5);
    Map<Runnable, String> messages =
        Map.of(
            () -> plan.add("a", Join.semi(), "x"), "given=1 inputs",
            () -> plan.add("a", Join.anti(), "x", "y"), "x is of type INT, y of type LONG",
            () -> plan.add("a", Join.inner(4), "f", "f"), "f is of type FLOAT",
            () -> plan.add("a", Join.asOf(), "x", "x", "x"), "as-of join takes times",
            () -> plan.add("a", Join.asOf(), "x", "y"), "times of as-of join are of one type",
            () -> plan.add("a", Join.asOf(), "f", "f", "f", "f"), "f is of type FLOAT",
            () -> Join.asOf().sortedRight(), "leave out sortedRight()",
            () -> Join.inner(-1), "capacity=-1",
            () -> Join.inner(Integer.MAX_VALUE), "capacity=2147483647");
    messages.forEach(
        (run, message) -> {
          String given = assertThrows(IllegalArgumentException.class, run::run).getMessage();
          assertTrue(String.valueOf(given).contains(message), given);
        });
  }
}
