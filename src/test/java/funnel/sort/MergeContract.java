package funnel.sort;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.operation.Operation;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * What merges, and sorts by merges, are on every engine; the oracles are plain loops and the JDK's
 * stable sort of boxed positions.
 */
abstract class MergeContract extends MergeTrial {

  @ParameterizedTest
  @Types
  void merges(ElementType type) {
    SplittableRandom random = Seed.random("merge" + type);
    int turn = random.nextInt(3);
    for (int by = 0; by < 3; by++) {
      try (Plan plan =
          funnel
              .plan("p")
              .input("a", type, most())
              .input("b", type, most())
              .add("y", merge(by, type), "a", "b")
              .build()) {
        for (int k = 0; k < lengths().length; k++) {
          if (isTried(turn + by + k, random)) {
            int length = lengths()[k];
            int other = lengths()[random.nextInt(lengths().length)];
            Values a = sorted(by, random(type, length, random));
            Values b = sorted(by, random(type, other, random));
            String what = "%s of %s and %s, by %s";
            check(plan, by, a, b, random, what.formatted(type, length, other, by));
            check(plan, by, b, a, random, what.formatted(type, other, length, by));
          }
        }
      }
    }
  }

  /** All elements of one before those of the other, and all equal. */
  @ParameterizedTest
  @Types
  void mergesOfNoOverlap(ElementType type) {
    SplittableRandom random = Seed.random("apart" + type);
    try (Plan plan =
        funnel
            .plan("p")
            .input("a", type, several())
            .input("b", type, several())
            .add("y", Merge.ascending(), "a", "b")
            .build()) {
      Values low = SortOracle.made(type, several(), i -> i * 50L / several());
      Values high = SortOracle.made(type, several() - 7, i -> 100L);
      check(plan, 0, low, high, random, type + ", low first");
      check(plan, 0, high, low, random, type + ", high first");
      check(plan, 0, high, high, random, type + ", equal");
    }
  }

  private static void check(
      Plan plan, int by, Values a, Values b, SplittableRandom random, String what) {
    Values both = joined(a, b);
    int length = both.length();
    // stable: those of the first input come first
    int[] order = SortOracle.order(length, false, (i, j) -> compare(by, both, i, j));
    int from = random.nextInt(4);
    int at = random.nextInt(4);
    Values first = SortOracle.at(a.type(), at, a);
    Values second = SortOracle.at(a.type(), 3 - at, b);
    int hash = first.hash() + second.hash();
    Values y = Values.guard(a.type(), length + from + 3);
    Results results =
        plan.run(
            Map.of(
                "a", first.range(at, at + a.length()).elements(),
                "b", second.range(3 - at, 3 - at + b.length()).elements()),
            Map.of("y", y.range(from, from + length).elements()));
    assertEquals(length, results.length("y"), what);
    SortOracle.requireSorted(both, order, y, from, what);
    assertEquals(hash, first.hash() + second.hash(), what + ", inputs");
  }

  @ParameterizedTest
  @Types
  void mergesRows(ElementType type) {
    SplittableRandom random = Seed.random("merge rows" + type);
    int by = random.nextInt(3);
    ElementType other = ofColumn(type);
    try (Plan plan = rows(merge(by, type).rows(), type, most(), true)) {
      for (int k = 0; k < lengths().length; k += 1 + random.nextInt(3)) {
        Values a = sorted(by, random(type, lengths()[k], random));
        Values b = sorted(by, random(type, lengths()[random.nextInt(lengths().length)], random));
        Values columns = Values.random(other, a.length() + b.length(), random);
        Values both = joined(a, b);
        int[] order = SortOracle.order(both.length(), false, (i, j) -> compare(by, both, i, j));
        checkRows(plan, both, columns, a.length(), true, order, random, "merge of rows, by " + by);
      }
    }
  }

  @ParameterizedTest
  @Types
  void sorts(ElementType type) {
    SplittableRandom random = Seed.random("mergeSort" + type);
    MergeSort sort = MergeSort.by(comparison(type));
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", type, most())
            .add("y", sort, "x")
            .add("order", sort.positions(), "x")
            .build()) {
      for (int length : lengths()) {
        Values x = random(type, length, random);
        int[] order = SortOracle.order(length, false, (i, j) -> compareBy(x, i, j));
        int from = random.nextInt(4);
        Values input = SortOracle.at(type, from, x);
        int hash = input.hash();
        Values y = Values.guard(type, length + 3);
        Values positions = Values.guard(ElementType.INT, length + 4);
        plan.run(
            Map.of("x", input.range(from, from + length).elements()),
            Map.of(
                "y", y.range(3 - from, 3 - from + length).elements(),
                "order", positions.range(1, 1 + length).elements()));
        String what = type + " of " + length;
        SortOracle.requireSorted(x, order, y, 3 - from, what);
        Values wanted = SortOracle.made(ElementType.INT, length, i -> (long) order[i]);
        int[] asTheyAre = IntStream.range(0, length).toArray();
        SortOracle.requireSorted(wanted, asTheyAre, positions, 1, what + ", order");
        assertEquals(hash, input.hash(), what + ", input");
      }
    }
  }

  /** Capacities of an even and an odd number of passes, and lengths that do not need them all. */
  @Test
  void passesThatAreNotNeeded() {
    SplittableRandom random = Seed.random("passes");
    MergeSort sort = MergeSort.by(comparison(ElementType.INT));
    for (int capacity : new int[] {2048, 2049, 5000, 9000, 17_000}) {
      try (Plan plan =
          funnel
              .plan("p")
              .input("x", ElementType.INT, capacity)
              .add("y", sort, "x")
              .add("order", sort.positions(), "x")
              .build()) {
        for (int length : new int[] {capacity, 0, 1, 2048, 2049, 4096, 4097, 8193}) {
          if (length <= capacity) {
            Values x = random(ElementType.INT, length, random);
            int[] order = SortOracle.order(length, false, (i, j) -> compareBy(x, i, j));
            Results results = plan.run(Map.of("x", x.elements()));
            String what = "capacity " + capacity + ", length " + length + Seed.replay();
            assertArrayEquals(order, results.ints("order"), what);
            int[] wanted = Arrays.stream(order).map(i -> (int) x.longAt(i)).toArray();
            assertArrayEquals(wanted, results.ints("y"), what);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @Types
  void sortsRows(ElementType type) {
    SplittableRandom random = Seed.random("mergeRows" + type);
    int length = several();
    Values keys = random(type, length, random);
    int[] order = SortOracle.order(length, false, (i, j) -> compareBy(keys, i, j));
    Values column = Values.random(ElementType.DOUBLE, length, random);
    Values sortedKeys = Values.ofLength(type, length);
    Values sortedColumn = Values.ofLength(ElementType.DOUBLE, length);
    funnel.run(
        MergeSort.by(comparison(type)).rows(),
        Map.of("result_1", sortedColumn.elements(), "result_2", sortedKeys.elements()),
        keys.elements(),
        column.elements(),
        keys.elements());
    SortOracle.requireSorted(column, order, sortedColumn, 0, "column");
    SortOracle.requireSorted(keys, order, sortedKeys, 0, "keys");
  }

  /** Orders of rows, in which all columns count and many rows are equal, of 2 or 3 columns. */
  private static Comparison ofRows(ElementType type, int columns) {
    boolean isOf2 = columns == 2;
    return switch (type) {
      case BYTE, INT ->
          isOf2
              ? Comparison.ofInt("sum", (a, b, c, d) -> Long.compare((a & 7L) - b, (c & 7L) - d))
              : Comparison.ofInt(
                  "rows",
                  (a, b, c, d, e, f) ->
                      (a & 3) != (d & 3)
                          ? (d & 3) - (a & 3)
                          : b != e ? Integer.compare(b, e) : Integer.compare(f, c));
      case LONG ->
          isOf2
              ? Comparison.ofLong(
                  "sum", (a, b, c, d) -> Long.compare((a & 7) - (b >> 8), (c & 7) - (d >> 8)))
              : Comparison.ofLong(
                  "rows",
                  (a, b, c, d, e, f) ->
                      (a & 3) != (d & 3)
                          ? (int) ((d & 3) - (a & 3))
                          : b != e ? Long.compare(b, e) : Long.compare(f, c));
      case FLOAT ->
          isOf2
              ? Comparison.ofFloat(
                  "rows",
                  (a, b, c, d) -> {
                    int second = Float.compare(d, b);
                    return second != 0 ? second : Float.compare(a, c);
                  })
              : Comparison.ofFloat(
                  "rows",
                  (a, b, c, d, e, f) -> {
                    int second = Float.compare(e, b);
                    int first = Float.compare(a, d);
                    int third = Float.compare(f, c);
                    return second != 0 ? second : first != 0 ? first : third;
                  });
      case DOUBLE ->
          isOf2
              ? Comparison.ofDouble(
                  "rows",
                  (a, b, c, d) -> {
                    int second = Double.compare(d, b);
                    return second != 0 ? second : Double.compare(a, c);
                  })
              : Comparison.ofDouble(
                  "rows",
                  (a, b, c, d, e, f) -> {
                    int second = Double.compare(e, b);
                    int first = Double.compare(a, d);
                    int third = Double.compare(f, c);
                    return second != 0 ? second : first != 0 ? first : third;
                  });
    };
  }

  /** The same; of floating-point numbers the second column counts first, the largest first. */
  private static int compareRows(Values[] x, int i, int j) {
    if (x[0].type().isFloating()) {
      int second = SortOracle.compare(x[1], j, i);
      int first = SortOracle.compare(x[0], i, j);
      return second != 0
          ? second
          : first != 0 || x.length == 2 ? first : SortOracle.compare(x[2], j, i);
    }
    if (x.length == 2 && x[0].type() == ElementType.LONG) {
      return Long.compare(
          (x[0].longAt(i) & 7) - (x[1].longAt(i) >> 8),
          (x[0].longAt(j) & 7) - (x[1].longAt(j) >> 8));
    }
    if (x.length == 2) {
      return Long.compare(
          (x[0].longAt(i) & 7) - x[1].longAt(i), (x[0].longAt(j) & 7) - x[1].longAt(j));
    }
    int first = Long.compare(x[0].longAt(j) & 3, x[0].longAt(i) & 3);
    int second = SortOracle.compare(x[1], i, j);
    return first != 0 ? first : second != 0 ? second : SortOracle.compare(x[2], j, i);
  }

  @ParameterizedTest
  @Types
  void sortsByRows(ElementType type) {
    SplittableRandom random = Seed.random("by rows" + type);
    List<String> names = List.of("a", "b", "c");
    for (int columns = 2; columns <= 3; columns++) {
      MergeSort sort = MergeSort.by(ofRows(type, columns));
      List<String> keys = new ArrayList<>(names.subList(0, columns));
      Plan.Builder plan = funnel.plan("p").input("d", ofColumn(type), most());
      keys.forEach(name -> plan.input(name, type, most()));
      if (columns == 3) {
        plan.add("order", sort.positions(), keys.toArray(String[]::new));
      } else {
        keys.add("d");
        plan.add("y", sort.rows(), keys.toArray(String[]::new));
      }
      try (Plan built = plan.build()) {
        for (int k = 0; k < lengths().length; k += 1 + random.nextInt(3)) {
          checkByRows(built, type, columns, lengths()[k], random);
        }
        checkByRows(built, type, columns, most(), random);
      }
    }
  }

  private static void checkByRows(
      Plan plan, ElementType type, int columns, int length, SplittableRandom random) {
    Values[] keys = new Values[columns];
    Map<String, Elements> inputs = new HashMap<>();
    for (int k = 0; k < columns; k++) {
      int values = random.nextBoolean() ? 3 : 100;
      keys[k] = random(type, length, random);
      for (int i = 0; i < length; i++) {
        if (random.nextInt(4) > 0) {
          keys[k].set(i, (long) random.nextInt(values));
        }
      }
      int from = random.nextInt(4);
      inputs.put(
          List.of("a", "b", "c").get(k),
          SortOracle.at(type, from, keys[k]).range(from, from + length).elements());
    }
    Values column = Values.random(ofColumn(type), length, random);
    inputs.put("d", column.elements());
    int[] order = SortOracle.order(length, false, (i, j) -> compareRows(keys, i, j));
    Values wanted = columns == 2 ? column : SortOracle.made(ElementType.INT, length, i -> (long) i);
    Values y = Values.guard(wanted.type(), length + 3);
    plan.run(inputs, Map.of(columns == 2 ? "y_1" : "order", y.range(2, 2 + length).elements()));
    String what = "%s columns of %s, length %s".formatted(columns, type, length);
    SortOracle.requireSorted(wanted, order, y, 2, what);
  }

  /** Neither unsorted inputs nor comparators that are no order lead outside of arrays. */
  @Test
  void whatHasNoOrder_staysInside() {
    SplittableRandom random = Seed.random("noOrder");
    int length = several();
    Values x = Values.random(ElementType.INT, length, random);
    Values y = Values.random(ElementType.INT, length / 3, random);
    requireInside(length, length, MergeSort.by(NO_ORDER), x);
    requireInside(length, length, MergeSort.by(NO_ORDER).positions(), x);
    int both = length + length / 3;
    requireInside(both, both, Merge.ascending(), x, y);
    requireInside(both, both, Merge.by(NO_ORDER), x, y);
    requireInside(both, both, Merge.by(NO_ORDER).rows(), x, y, x, y);
  }

  @Test
  void examplesAndEmptyInputs() {
    Elements x = Elements.of(new int[] {31, 12, 21, 2});
    Comparison lastDigit = Comparison.ofInt("last digit", (a, b) -> a % 10 - b % 10);
    MergeSort sort = MergeSort.by(lastDigit);
    assertArrayEquals(new int[] {31, 21, 12, 2}, funnel.run(sort, x).ints("result"));
    assertArrayEquals(new int[] {0, 2, 1, 3}, funnel.run(sort.positions(), x).ints("result"));
    assertArrayEquals(
        new double[] {.1, .3, .2},
        funnel
            .run(
                sort.rows(),
                Elements.of(new int[] {31, 12, 21}),
                Elements.of(new double[] {.1, .2, .3}))
            .doubles("result_1"));
    Elements none = Elements.of(new int[0]);
    assertArrayEquals(new int[0], funnel.run(sort, none).ints("result"));
    assertArrayEquals(new int[0], funnel.run(sort.positions(), none).ints("result"));
    assertArrayEquals(new int[0], funnel.run(sort.rows(), none, none).ints("result_1"));
    assertArrayEquals(
        new int[] {1, 2, 3, 3, 3},
        funnel
            .run(Merge.ascending(), Elements.of(new int[] {1, 3, 3}), Elements.of(new int[] {2, 3}))
            .ints("result"));
    assertArrayEquals(
        new int[] {3, 3, 3, 2, 1},
        funnel
            .run(
                Merge.descending(), Elements.of(new int[] {3, 3, 1}), Elements.of(new int[] {3, 2}))
            .ints("result"));
    assertArrayEquals(
        new int[] {31, 21, 12}, // 31 and 21 are equal
        funnel
            .run(Merge.by(lastDigit), Elements.of(new int[] {31}), Elements.of(new int[] {21, 12}))
            .ints("result"));
    assertArrayEquals(new int[0], funnel.run(Merge.ascending(), none, none).ints("result"));
    assertArrayEquals(
        new int[] {31, 12, 21, 2}, funnel.run(Merge.ascending(), none, x).ints("result"));
  }

  @Test
  void columnsOfAnotherLength_areRefused() {
    Elements a = Elements.of(new int[] {1, 3, 3});
    Elements b = Elements.of(new int[] {3, 4});
    for (Operation rows : List.of(Merge.ascending().rows(), SetOperation.union().rows())) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> funnel.run(rows, a, b, b, b))
              .getMessage();
      assertTrue(
          String.valueOf(message).contains("length of input3=2, length of input1=3"), message);
    }
    SetOperation rows = SetOperation.difference().rows();
    assertThrows(IllegalArgumentException.class, () -> funnel.run(rows, a, b, b));
    MergeSort byRow = MergeSort.by(ofRows(ElementType.INT, 2)).positions();
    String message =
        assertThrows(IllegalArgumentException.class, () -> funnel.run(byRow, a, b)).getMessage();
    assertTrue(String.valueOf(message).contains("length of input2=2"), message);
  }

  @Test
  void whatIsNotTaken_isNamed() {
    Plan.Builder plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, 5)
            .input("f", ElementType.FLOAT, 5)
            .input("bytes", ElementType.BYTE, 5)
            .input("large", ElementType.INT, Integer.MAX_VALUE - 10);
    MergeSort sort = MergeSort.by(comparison(ElementType.INT));
    Map<Runnable, String> messages = new HashMap<>();
    messages.put(() -> plan.add("a", sort, "x", "x"), "takes one input, given=2");
    messages.put(() -> plan.add("a", sort, "f"), "low bits takes INT, the elements of f are FLOAT");
    messages.put(() -> plan.add("a", sort.rows(), "x"), "and then columns, given=1");
    MergeSort byRow = MergeSort.by(ofRows(ElementType.INT, 2));
    messages.put(() -> plan.add("a", byRow, "x", "x"), "rows of 2 columns: call rows() or pos");
    messages.put(() -> plan.add("a", byRow.positions(), "x"), "takes 2 columns of keys, given=1");
    messages.put(
        () -> plan.add("a", byRow.rows(), "x", "x"), "keys, and then columns, given=2 inputs");
    messages.put(() -> plan.add("a", byRow.rows(), "x", "f", "x"), "the elements of f are FLOAT");
    messages.put(() -> plan.add("a", byRow.positions(), "x", "bytes"), "bytes of type BYTE");
    messages.put(() -> Merge.by(ofRows(ElementType.INT, 3)), "rows of 3 columns: it is for Merge");
    messages.put(
        () -> SetOperation.union().by(ofRows(ElementType.INT, 2)), "give a comparison of elements");
    messages.put(() -> plan.add("a", Merge.ascending(), "x"), "takes two inputs, given=1");
    messages.put(() -> plan.add("a", Merge.ascending(), "x", "f"), "f of type FLOAT");
    messages.put(
        () -> plan.add("a", Merge.by(comparison(ElementType.LONG)), "x", "x"), "takes LONG");
    messages.put(
        () -> plan.add("a", Merge.ascending(), "x", "large"), "capacities=5 and 2147483637");
    Merge rows = Merge.ascending().rows();
    messages.put(
        () -> plan.add("a", rows, "x", "x"), "columns in pairs, one of each table, given=2");
    messages.put(() -> plan.add("a", rows, "x", "x", "f"), "given=3");
    messages.put(() -> plan.add("a", rows, "x", "x", "x", "f"), "f of type FLOAT");
    messages.put(
        () -> plan.add("a", SetOperation.union().rows(), "x", "x", "f"), "in pairs, one of each");
    messages.put(
        () -> plan.add("a", SetOperation.difference().rows(), "x", "x"),
        "and then columns of the first, given=2");
    messages.forEach(
        (run, message) -> {
          String given = assertThrows(IllegalArgumentException.class, run::run).getMessage();
          assertTrue(String.valueOf(given).contains(message), given);
        });
  }
}
