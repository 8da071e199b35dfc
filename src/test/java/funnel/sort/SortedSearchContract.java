package funnel.sort;

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
import funnel.Types;
import funnel.Values;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What searches of sorted arrays are on every engine; the oracle looks at all elements. */
abstract class SortedSearchContract extends EngineContract {

  /** Lengths of sorted arrays. */
  abstract int[] sizes();

  private static final double[] SPECIAL = {
    0d,
    -0d,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MAX_VALUE
  };

  /** Numbers as boxes, whose order is that of sorts; bytes from 0 to 255. */
  private static Number number(ElementType type, SplittableRandom random, int kind) {
    if (type.isFloating() && random.nextInt(3) == 0) {
      double special = SPECIAL[random.nextInt(SPECIAL.length)];
      return type == ElementType.FLOAT ? (Number) (float) special : (Number) special;
    }
    long value = kind == 0 ? random.nextLong() : random.nextLong(-9, 9);
    return switch (type) {
      case BYTE -> (int) value & 0xff;
      case INT -> (int) value;
      case LONG -> value;
      case FLOAT -> kind == 0 ? Float.intBitsToFloat((int) value) : (float) value;
      case DOUBLE -> kind == 0 ? Double.longBitsToDouble(value) : (double) value;
    };
  }

  private static List<Number> numbers(
      ElementType type, int length, SplittableRandom random, int kind) {
    return IntStream.range(0, length).mapToObj(i -> number(type, random, kind)).toList();
  }

  private static Values values(ElementType type, List<Number> numbers, int from) {
    Values all = Values.guard(type, from + numbers.size() + 3);
    for (int i = 0; i < numbers.size(); i++) {
      all.put(from + i, numbers.get(i));
    }
    return all.range(from, from + numbers.size());
  }

  @SuppressWarnings("unchecked") // boxes of one type
  private static Comparator<Number> order(boolean isDescending) {
    Comparator<Number> ascending = (a, b) -> ((Comparable<Number>) (Object) a).compareTo(b);
    return isDescending ? Collections.reverseOrder(ascending) : ascending;
  }

  private static List<SortedSearch> searches(boolean isDescending) {
    return Arrays.stream(SortedSearch.Kind.values())
        .map(kind -> new SortedSearch(kind, isDescending))
        .toList();
  }

  /** How many elements, from the first on, come before, or are equal too. */
  private static int place(SortedSearch search, List<Number> sorted, Number wanted) {
    Comparator<Number> order = order(search.isDescending());
    int limit = search.kind() == SortedSearch.Kind.UPPER_BOUND ? 1 : 0;
    int place = 0;
    for (Number number : sorted) {
      place += order.compare(number, wanted) < limit ? 1 : 0;
    }
    boolean isFound =
        search.kind() != SortedSearch.Kind.BINARY_SEARCH
            || place < sorted.size() && order.compare(sorted.get(place), wanted) == 0;
    return isFound ? place : -1 - place;
  }

  @ParameterizedTest
  @Types
  void places(ElementType type) {
    SplittableRandom random = Seed.random("search " + type);
    for (boolean isDescending : new boolean[] {false, true}) {
      Plan.Builder builder =
          funnel
              .plan("p")
              .input("x", type, Arrays.stream(sizes()).max().orElseThrow())
              .input("w", type, Arrays.stream(lengths()).max().orElseThrow());
      for (SortedSearch search : searches(isDescending)) {
        builder.add(search.kind().name(), search, "x", "w");
      }
      try (Plan plan = builder.build()) {
        for (int size : sizes()) {
          int drawn = lengths()[random.nextInt(lengths().length)];
          int most = 1 + (1 << 22) / (size + 1); // the oracle looks at all of x for each
          for (int length : new int[] {Math.min(drawn, most), 1, 5}) {
            check(plan, type, size, length, isDescending, random);
          }
        }
        for (int length : lengths()) {
          check(plan, type, 77, length, isDescending, random);
        }
      }
    }
  }

  private static void check(
      Plan plan,
      ElementType type,
      int size,
      int length,
      boolean isDescending,
      SplittableRandom random) {
    int kind = random.nextInt(2);
    List<Number> sorted =
        numbers(type, size, random, kind).stream().sorted(order(isDescending)).toList();
    List<Number> wanted = numbers(type, length, random, kind);
    Values x = values(type, sorted, random.nextInt(4));
    Values w = values(type, wanted, random.nextInt(4));
    int from = random.nextInt(1, 4);
    Map<String, Elements> outputs = new HashMap<>();
    Map<SortedSearch, Values> all = new HashMap<>();
    for (SortedSearch search : searches(isDescending)) {
      Values places = Values.guard(ElementType.INT, length + from + 3);
      all.put(search, places);
      outputs.put(search.kind().name(), places.range(from, from + length).elements());
    }
    plan.run(Map.of("x", x.elements(), "w", w.elements()), outputs);
    all.forEach(
        (search, places) -> {
          String what = "%s, %s of %s in %s".formatted(search, type, length, size);
          for (int i = 0; i < length; i++) {
            int at = i;
            assertEquals(
                place(search, sorted, wanted.get(i)),
                places.longAt(from + i),
                () -> what + ", element " + at + ": " + wanted.get(at) + Seed.replay());
          }
          Values untouched = Values.guard(ElementType.INT, length + from + 3);
          places.requireEqualOutside(untouched, from, from + length, what);
        });
  }

  /** Each element is looked for in a sorted part, some of which are cut off or empty. */
  @ParameterizedTest
  @Types
  void withinParts(ElementType type) {
    SplittableRandom random = Seed.random("within " + type);
    for (boolean isDescending : new boolean[] {false, true}) {
      for (int length : lengths()) {
        int size = sizes()[random.nextInt(sizes().length)];
        int most = Math.min(length, 1 + (1 << 22) / (size + 1));
        int cut = random.nextInt(size + 1);
        List<Number> sorted = new ArrayList<>(numbers(type, size, random, 1));
        sorted.subList(0, cut).sort(order(isDescending));
        sorted.subList(cut, size).sort(order(isDescending));
        List<Number> wanted = numbers(type, most, random, 1);
        int[] begins = new int[most];
        int[] ends = new int[most];
        for (int i = 0; i < most; i++) {
          boolean isFirst = random.nextBoolean();
          begins[i] = isFirst ? random.nextInt(-5, cut + 1) : random.nextInt(cut, size + 5);
          ends[i] = isFirst ? random.nextInt(-5, cut + 1) : random.nextInt(cut, size + 5);
        }
        for (SortedSearch search : searches(isDescending)) {
          int[] places =
              funnel
                  .run(
                      search.within(),
                      values(type, sorted, random.nextInt(4)).elements(),
                      values(type, wanted, random.nextInt(4)).elements(),
                      Elements.of(begins),
                      Elements.of(ends))
                  .ints("result");
          assertEquals(most, places.length);
          for (int i = 0; i < most; i++) {
            int begin = Math.clamp(begins[i], 0, size);
            List<Number> part = sorted.subList(begin, Math.clamp(ends[i], begin, size));
            assertEquals(
                place(search, part, wanted.get(i)),
                places[i],
                "%s of %s in %s, element %s%s".formatted(search, type, size, i, Seed.replay()));
          }
        }
      }
    }
  }

  /**
   * The check of kernels has the same data as they: what is not sorted must not look like a fault.
   */
  @Test
  void arraysThatAreNotSorted() {
    SplittableRandom random = Seed.random("not sorted");
    int[] x = random.ints(3000, 0, 100).toArray();
    int[] wanted = random.ints(1000, 0, 100).toArray();
    for (SortedSearch search : searches(false)) {
      int[] places = funnel.run(search, Elements.of(x), Elements.of(wanted)).ints("result");
      try (Funnel jvm = Funnel.open(Target.JVM)) {
        assertArrayEquals(
            jvm.run(search, Elements.of(x), Elements.of(wanted)).ints("result"),
            places,
            search + Seed.replay());
      }
      for (int place : places) {
        assertTrue(place <= 3000 && place >= -3001, search + " " + place + Seed.replay());
      }
    }
  }

  @ParameterizedTest
  @Types
  void firstPlacesOutOfOrder(ElementType type) {
    SplittableRandom random = Seed.random("sorted " + type);
    int capacity = Arrays.stream(sizes()).max().orElseThrow();
    for (boolean isDescending : new boolean[] {false, true}) {
      Comparator<Number> order = order(isDescending);
      try (Plan plan =
          funnel
              .plan("p")
              .input("x", type, capacity)
              .add("y", new IsSorted(isDescending), "x")
              .build()) {
        for (int size : sizes()) {
          for (int changes = 0; changes < 4; changes++) {
            List<Number> numbers =
                new ArrayList<>(
                    numbers(type, size, random, changes % 2).stream().sorted(order).toList());
            for (int i = 0; i < changes && size > 0; i++) {
              numbers.set(random.nextInt(size), number(type, random, changes % 2));
            }
            int first =
                IntStream.range(1, size)
                    .filter(i -> order.compare(numbers.get(i - 1), numbers.get(i)) > 0)
                    .findFirst()
                    .orElse(-1);
            Values x = values(type, numbers, random.nextInt(4));
            Results results = plan.run(Map.of("x", x.elements()));
            String what =
                "%s of %s, descending %s%s".formatted(type, size, isDescending, Seed.replay());
            assertEquals(first, results.getInt("y_first"), what);
            assertEquals(first < 0 ? 1 : 0, results.getInt("y"), what);
          }
        }
      }
    }
  }

  @Test
  void examplesAndEmptyInputs() {
    Elements x = Elements.of(new int[] {1, 1, 3, 4});
    Elements wanted = Elements.of(new int[] {0, 1, 2, 9});
    Elements none = Elements.of(new int[0]);
    Map<SortedSearch, int[]> expected =
        Map.of(
            SortedSearch.lowerBound(), new int[] {0, 0, 2, 4},
            SortedSearch.upperBound(), new int[] {0, 2, 2, 4},
            SortedSearch.binarySearch(), new int[] {-1, 0, -3, -5});
    expected.forEach(
        (search, places) -> {
          assertArrayEquals(
              places, funnel.run(search, x, wanted).ints("result"), search.toString());
          assertArrayEquals(new int[0], funnel.run(search, x, none).ints("result"));
          assertArrayEquals(new int[0], funnel.run(search, none, none).ints("result"));
        });
    Elements falling = Elements.of(new int[] {4, 3, 1});
    Elements two = Elements.of(new int[] {9, 3});
    assertArrayEquals(
        new int[] {0, 1},
        funnel.run(SortedSearch.lowerBound().descending(), falling, two).ints("result"));
    assertArrayEquals(
        new int[] {0, 0}, funnel.run(SortedSearch.upperBound(), none, two).ints("result"));
    assertArrayEquals(
        new int[] {-1, -1}, funnel.run(SortedSearch.binarySearch(), none, two).ints("result"));
    assertEquals(1, funnel.run(IsSorted.ascending(), x).getInt("result"));
    assertEquals(-1, funnel.run(IsSorted.ascending(), x).getInt("result_first"));
    assertEquals(1, funnel.run(IsSorted.descending(), falling).getInt("result"));
    assertEquals(1, funnel.run(IsSorted.ascending(), none).getInt("result"));
    Results not = funnel.run(IsSorted.ascending(), Elements.of(new int[] {1, 3, 2, 0}));
    assertEquals(0, not.getInt("result"));
    assertEquals(2, not.getInt("result_first"));
  }

  @Test
  void whatIsNotTaken_isNamed() {
    Plan.Builder plan =
        funnel.plan("p").input("x", ElementType.INT, 5).input("f", ElementType.FLOAT, 5);
    Map<Runnable, String> messages =
        Map.of(
            () -> plan.add("a", SortedSearch.lowerBound(), "x"),
                "lower bound takes a sorted array and elements to search for, given=1 inputs",
            () -> plan.add("a", SortedSearch.upperBound().descending(), "x", "f"),
                "descending upper bound searches for elements of the array's type: x is of type"
                    + " INT, f of type FLOAT",
            () -> plan.add("a", IsSorted.ascending(), "x", "x"), "takes one input, given=2");
    messages.forEach(
        (run, message) -> {
          String given = assertThrows(IllegalArgumentException.class, run::run).getMessage();
          assertTrue(String.valueOf(given).contains(message), given);
        });
  }
}
