package funnel.sort;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Values;
import funnel.operation.FunnelDeviceException;
import funnel.operation.Operation;
import funnel.operation.OutputTooShortException;
import funnel.operation.Target;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What merges, and sorts by merges, are on every engine; the oracles are plain loops and the JDK's
 * stable sort of boxed positions.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MergeContract {

  abstract Target target();

  /** The most elements, and lengths up to that. */
  abstract int[] lengths();

  /** A length of several tiles. */
  abstract int several();

  private final Funnel funnel = Funnel.open(target());

  @AfterAll
  void close() {
    funnel.close();
  }

  /** An order in which many elements are equal, or descending floating-point numbers. */
  static Comparison comparison(ElementType type) {
    return switch (type) {
      case BYTE, INT -> Comparison.ofInt("low bits", (a, b) -> Integer.compare(a & 63, b & 63));
      case LONG -> Comparison.ofLong("low bits", (a, b) -> Long.compare(a & 63, b & 63));
      case FLOAT -> Comparison.ofFloat("descending", (a, b) -> Float.compare(b, a));
      case DOUBLE -> Comparison.ofDouble("descending", (a, b) -> Double.compare(b, a));
    };
  }

  static int compareBy(Values x, int i, int j) {
    return switch (x.array()) {
      case float[] a -> Float.compare(a[x.from() + j], a[x.from() + i]);
      case double[] a -> Double.compare(a[x.from() + j], a[x.from() + i]);
      default -> Long.compare(x.longAt(i) & 63, x.longAt(j) & 63);
    };
  }

  private static int compare(int by, Values x, int i, int j) {
    return switch (by) {
      case 0 -> SortOracle.compare(x, i, j);
      case 1 -> SortOracle.compare(x, j, i);
      default -> compareBy(x, i, j);
    };
  }

  private static Merge merge(int by, ElementType type) {
    return switch (by) {
      case 0 -> Merge.ascending();
      case 1 -> Merge.descending();
      default -> Merge.by(comparison(type));
    };
  }

  /** Random elements, some of them special ones, of few values or of many. */
  private static Values random(ElementType type, int length, SplittableRandom random) {
    int values = random.nextInt(3);
    IntFunction<Long> any =
        i -> values == 0 ? random.nextLong() : values == 1 ? random.nextLong(7) : (long) (i / 1000);
    return SortOracle.made(
        type,
        length,
        i ->
            switch (random.nextInt(4)) {
              case 0 ->
                  switch (type) {
                    case FLOAT ->
                        (long)
                            Float.floatToRawIntBits(
                                SortOracle.FLOATS[random.nextInt(SortOracle.FLOATS.length)]);
                    case DOUBLE ->
                        Double.doubleToRawLongBits(
                            SortOracle.DOUBLES[random.nextInt(SortOracle.DOUBLES.length)]);
                    default -> any.apply(i);
                  };
              default -> any.apply(i);
            });
  }

  private static Values taken(Values x, int[] order) {
    return SortOracle.made(x.type(), order.length, i -> SortOracle.bits(x, order[i]));
  }

  /** Both, the second one after the first. */
  private static Values joined(Values first, Values second) {
    return SortOracle.made(
        first.type(),
        first.length() + second.length(),
        i ->
            i < first.length()
                ? SortOracle.bits(first, i)
                : SortOracle.bits(second, i - first.length()));
  }

  private static Values sorted(int by, Values x) {
    return taken(x, SortOracle.order(x.length(), false, (i, j) -> compare(by, x, i, j)));
  }

  @ParameterizedTest
  @EnumSource
  void merges(ElementType type) {
    SplittableRandom random = Seed.random("merge" + type);
    int most = Arrays.stream(lengths()).max().orElseThrow();
    for (int by = 0; by < 3; by++) {
      try (Plan plan =
          funnel
              .plan("p")
              .input("a", type, most)
              .input("b", type, most)
              .add("y", merge(by, type), "a", "b")
              .build()) {
        for (int length : lengths()) {
          int other = lengths()[random.nextInt(lengths().length)];
          Values a = sorted(by, random(type, length, random));
          Values b = sorted(by, random(type, other, random));
          check(
              plan, by, a, b, random, "%s of %d and %d, by %d".formatted(type, length, other, by));
          check(
              plan, by, b, a, random, "%s of %d and %d, by %d".formatted(type, other, length, by));
        }
      }
    }
  }

  /** All elements of one before those of the other, and all equal. */
  @ParameterizedTest
  @EnumSource
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

  /** Another type than that of the keys. */
  private static ElementType ofColumn(ElementType type) {
    return ElementType.values()[(type.ordinal() + 2) % ElementType.values().length];
  }

  @ParameterizedTest
  @EnumSource
  void mergesRows(ElementType type) {
    SplittableRandom random = Seed.random("merge rows" + type);
    int most = Arrays.stream(lengths()).max().orElseThrow();
    int by = random.nextInt(3);
    ElementType other = ofColumn(type);
    try (Plan plan = rows(merge(by, type).rows(), type, most, true)) {
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

  /** A plan over tables of two columns: one of another type, and the keys themselves. */
  private Plan rows(Operation operation, ElementType type, int most, boolean isOfPairs) {
    ElementType other = ofColumn(type);
    Plan.Builder plan =
        funnel.plan("p").input("a", type, most).input("b", type, most).input("c", other, most);
    return isOfPairs
        ? plan.input("d", other, most).add("y", operation, "a", "b", "c", "d", "a", "b").build()
        : plan.add("y", operation, "a", "b", "c", "a").build();
  }

  private static void checkRows(
      Plan plan,
      Values keys,
      Values columns,
      int ofFirst,
      boolean isOfPairs,
      int[] kept,
      SplittableRandom random,
      String of) {
    Map<String, Elements> inputs = new HashMap<>();
    List<String> names = List.of("a", "b", "c", "d");
    for (String name : names.subList(0, isOfPairs ? 4 : 3)) {
      Values all = names.indexOf(name) < 2 ? keys : columns;
      boolean isFirst = names.indexOf(name) % 2 == 0;
      int from = random.nextInt(4);
      int length = isFirst ? ofFirst : keys.length() - ofFirst;
      int begin = isFirst ? 0 : ofFirst;
      Values part = SortOracle.made(all.type(), length, i -> SortOracle.bits(all, begin + i));
      inputs.put(name, SortOracle.at(all.type(), from, part).range(from, from + length).elements());
    }
    Map<String, Elements> outputs = new HashMap<>();
    List<Values> written = new ArrayList<>();
    for (String name : List.of("y", "y_1", "y_2")) {
      int from = written.size();
      Values y = Values.guard(from == 1 ? columns.type() : keys.type(), kept.length + 4);
      written.add(y);
      outputs.put(name, y.range(from, from + kept.length).elements());
    }
    Results results = plan.run(inputs, outputs);
    String what = "%s, of %d and %d".formatted(of, ofFirst, keys.length() - ofFirst);
    for (int k = 0; k < 3; k++) {
      SortOracle.requireSorted(k == 1 ? columns : keys, kept, written.get(k), k, what + ", " + k);
    }
    assertEquals(kept.length, results.length("y_1"), what);
  }

  @ParameterizedTest
  @EnumSource
  void sorts(ElementType type) {
    SplittableRandom random = Seed.random("mergeSort" + type);
    int most = Arrays.stream(lengths()).max().orElseThrow();
    MergeSort sort = MergeSort.by(comparison(type));
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", type, most)
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
  @EnumSource
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
  @EnumSource
  void sortsByRows(ElementType type) {
    SplittableRandom random = Seed.random("by rows" + type);
    int most = Arrays.stream(lengths()).max().orElseThrow();
    List<String> names = List.of("a", "b", "c");
    for (int columns = 2; columns <= 3; columns++) {
      MergeSort sort = MergeSort.by(ofRows(type, columns));
      List<String> keys = new ArrayList<>(names.subList(0, columns));
      Plan.Builder plan = funnel.plan("p").input("d", ofColumn(type), most);
      keys.forEach(name -> plan.input(name, type, most));
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
        checkByRows(built, type, columns, most, random);
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
    String what = "%d columns of %s, length %d".formatted(columns, type, length);
    SortOracle.requireSorted(wanted, order, y, 2, what);
  }

  private static final List<SetOperation> SETS =
      List.of(
          SetOperation.union(),
          SetOperation.intersection(),
          SetOperation.difference(),
          SetOperation.symmetricDifference());

  private static SetOperation in(int by, ElementType type, SetOperation set) {
    return switch (by) {
      case 0 -> set;
      case 1 -> set.descending();
      default -> set.by(comparison(type));
    };
  }

  /** The places of a set's elements in both arrays, one after the other. */
  private static int[] members(int set, int by, Values both, int ofFirst) {
    IntStream.Builder kept = IntStream.builder();
    int i = 0;
    int j = ofFirst;
    while (i < ofFirst || j < both.length()) {
      int compared = i == ofFirst ? 1 : j == both.length() ? -1 : compare(by, both, i, j);
      if (compared == 0 ? set < 2 : compared < 0 ? set != 1 : set == 0 || set == 3) {
        kept.add(compared <= 0 ? i : j);
      }
      i += compared <= 0 ? 1 : 0;
      j += compared >= 0 ? 1 : 0;
    }
    return kept.build().toArray();
  }

  @ParameterizedTest
  @EnumSource
  void sets(ElementType type) {
    SplittableRandom random = Seed.random("sets" + type);
    int most = Arrays.stream(lengths()).max().orElseThrow();
    for (int by = 0; by < 3; by++) {
      Plan.Builder builder = funnel.plan("p").input("a", type, most).input("b", type, most);
      for (int set = 0; set < SETS.size(); set++) {
        builder.add("y" + set, in(by, type, SETS.get(set)), "a", "b");
      }
      try (Plan plan = builder.build()) {
        for (int length : lengths()) {
          int other = lengths()[random.nextInt(lengths().length)];
          Values a = sorted(by, random(type, length, random));
          Values b = sorted(by, random(type, other, random));
          checkSets(plan, by, a, b, random);
          checkSets(plan, by, b, a, random);
          checkSets(plan, by, a, a, random);
        }
      }
    }
  }

  private static void checkSets(Plan plan, int by, Values a, Values b, SplittableRandom random) {
    Values both = joined(a, b);
    int from = random.nextInt(4);
    Values first = SortOracle.at(a.type(), from, a);
    Values second = SortOracle.at(a.type(), 3 - from, b);
    Map<String, Elements> inputs =
        Map.of(
            "a", first.range(from, from + a.length()).elements(),
            "b", second.range(3 - from, 3 - from + b.length()).elements());
    Map<String, Elements> outputs = new HashMap<>();
    List<Values> kept = new ArrayList<>();
    for (int set = 0; set < SETS.size(); set++) {
      int length = members(set, by, both, a.length()).length;
      Values y = Values.guard(a.type(), from + length + 3);
      kept.add(y);
      outputs.put("y" + set, y.range(from, from + length).elements());
    }
    Results results = plan.run(inputs, outputs);
    for (int set = 0; set < SETS.size(); set++) {
      int[] wanted = members(set, by, both, a.length());
      String what =
          "%s of %d and %d %s, by %d"
              .formatted(SETS.get(set), a.length(), b.length(), a.type(), by);
      assertEquals(wanted.length, results.length("y" + set), () -> what + Seed.replay());
      SortOracle.requireSorted(both, wanted, kept.get(set), from, what);
    }
  }

  @ParameterizedTest
  @EnumSource
  void setsOfRows(ElementType type) {
    SplittableRandom random = Seed.random("sets of rows" + type);
    int most = Arrays.stream(lengths()).max().orElseThrow();
    for (int set = 0; set < SETS.size(); set++) {
      int by = random.nextInt(3);
      SetOperation operation = in(by, type, SETS.get(set)).rows();
      boolean isOfPairs = set == 0 || set == 3;
      try (Plan plan = rows(operation, type, most, isOfPairs)) {
        for (int k = 0; k < lengths().length; k += 1 + random.nextInt(3)) {
          Values a = sorted(by, random(type, lengths()[k], random));
          Values b = sorted(by, random(type, lengths()[random.nextInt(lengths().length)], random));
          Values both = joined(a, b);
          Values columns = Values.random(ofColumn(type), both.length(), random);
          int[] kept = members(set, by, both, a.length());
          checkRows(
              plan, both, columns, a.length(), isOfPairs, kept, random, operation + " " + type);
        }
      }
    }
  }

  @Test
  void examplesOfRows() {
    Elements a = Elements.of(new int[] {1, 3, 3});
    Elements b = Elements.of(new int[] {3, 4});
    Elements ofA = Elements.of(new float[] {10, 30, 31});
    Elements ofB = Elements.of(new float[] {32, 40});
    float[][] wanted = {{10, 30, 31, 40}, {30}, {10, 31}, {10, 31, 40}};
    for (int set = 0; set < SETS.size(); set++) {
      SetOperation of = SETS.get(set).rows();
      Results rows =
          set == 0 || set == 3 ? funnel.run(of, a, b, ofA, ofB) : funnel.run(of, a, b, ofA);
      assertArrayEquals(wanted[set], rows.floats("result_1"), of.toString());
    }
    Results merged = funnel.run(Merge.ascending().rows(), a, b, ofA, ofB);
    assertArrayEquals(new int[] {1, 3, 3, 3, 4}, merged.ints("result"));
    assertArrayEquals(new float[] {10, 30, 31, 32, 40}, merged.floats("result_1"));
  }

  @Test
  void examplesOfSets() {
    Elements a = Elements.of(new int[] {1, 3, 3, 3, 7});
    Elements b = Elements.of(new int[] {3, 3, 4});
    int[][] wanted = {{1, 3, 3, 3, 4, 7}, {3, 3}, {1, 3, 7}, {1, 3, 4, 7}};
    Elements none = Elements.of(new int[0]);
    for (int set = 0; set < SETS.size(); set++) {
      SetOperation operation = SETS.get(set);
      assertArrayEquals(wanted[set], funnel.run(operation, a, b).ints("result"));
      int[] ofFirst = set == 1 ? new int[0] : new int[] {1, 3, 3, 3, 7};
      assertArrayEquals(ofFirst, funnel.run(operation, a, none).ints("result"));
      int[] ofSecond = set == 1 || set == 2 ? new int[0] : new int[] {3, 3, 4};
      assertArrayEquals(ofSecond, funnel.run(operation, none, b).ints("result"));
      assertArrayEquals(new int[0], funnel.run(operation, none, none).ints("result"));
      OutputTooShortException e =
          assertThrows(
              OutputTooShortException.class,
              () -> funnel.run(operation, Map.of("result", Elements.of(new int[1])), a, b));
      assertEquals(wanted[set].length, e.found());
    }
  }

  /** Neither unsorted inputs nor comparators that are no order lead outside of arrays. */
  @Test
  void whatHasNoOrder_staysInside() {
    SplittableRandom random = Seed.random("noOrder");
    Comparison noOrder = Comparison.ofInt("no order", (a, b) -> ((a * 31 + b * 17) & 7) - 4);
    int length = several();
    Values x = Values.random(ElementType.INT, length, random);
    Values y = Values.random(ElementType.INT, length / 3, random);
    requireInside(length, length, MergeSort.by(noOrder), x);
    requireInside(length, length, MergeSort.by(noOrder).positions(), x);
    int both = length + length / 3;
    requireInside(both, both, Merge.ascending(), x, y);
    requireInside(both, both, Merge.by(noOrder), x, y);
    requireInside(both, both, Merge.by(noOrder).rows(), x, y, x, y);
    for (SetOperation set : SETS) {
      requireInside(0, both, set, x, y);
      requireInside(0, both, set.by(noOrder), x, y);
      boolean isOfPairs = set.equals(SETS.get(0)) || set.equals(SETS.get(3));
      requireInside(
          0, both, set.rows(), isOfPairs ? new Values[] {x, y, x, y} : new Values[] {x, y, x});
    }
  }

  /** On a device, the check of kernels may see it: then it differs from the JVM's. */
  private void requireInside(int least, int most, Operation by, Values... of) {
    Elements[] inputs = Stream.of(of).map(Values::elements).toArray(Elements[]::new);
    try {
      int found = funnel.run(by, inputs).length("result");
      assertTrue(found >= least && found <= most, () -> by + ": " + found + Seed.replay());
    } catch (FunnelDeviceException e) {
      assertEquals(Target.TORNADO, target(), e::toString);
      String message = e.getMessage();
      assertTrue(message.contains("no order is an order") || message.contains("sorted"), message);
    }
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
          String.valueOf(message).contains("length of input1=3, length of input3=2"), message);
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
