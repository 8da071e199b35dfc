package funnel.functions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.FindFirst;
import funnel.select.Partition;
import funnel.select.Select;
import funnel.transform.Elementwise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Conditions in functions: alone, in which nothing can nest, and nested in each other, in what they
 * call and in what is computed from them. The oracle is a plain loop.
 */
abstract class ConditionsContract extends EngineContract {

  private static final int[] INTS = {0, 1, 2, 3, 7, 9, 10, 11, 77, 99, 100, -1, -4, -5, -6, -9};

  private static final double[] DOUBLES = {
    0.0, -0.0, Double.NaN, 1, -1, 0.5, 0.25, 2, -2, 1e30, Double.POSITIVE_INFINITY, -1e-30
  };

  /** A predicate, and whether it holds on the JVM for the element at an index. */
  private record Condition(Transform test, IntPredicate at) {}

  private final SplittableRandom random = Seed.random("conditions");

  private static boolean isLarge(int v) {
    return v > 2;
  }

  private static boolean isBetween(int v, int from, int to) {
    return v >= from && v < to;
  }

  /** Predicates of ints, in each of which one condition decides. */
  private static List<Transform.IntTest> single(int limit) {
    return List.of(
        v -> v > 2,
        v -> v <= -1,
        v -> v == 0,
        v -> v != 7,
        v -> !(v > 2),
        v -> v > limit,
        v -> (v & 4) == 0,
        v -> v % 3 == 0,
        v -> v / 5 > 1,
        v -> v >> 2 == -1,
        v -> v >>> 30 == 3,
        v -> v << 30 < 0,
        ConditionsContract::isLarge,
        v -> {
          boolean large = v > 2;
          return !large;
        },
        v -> {
          boolean large = false;
          if (v > 2) {
            large = true;
          }
          return large;
        });
  }

  private static List<Transform.IntTest> nested(int limit) {
    return List.of(
        v -> v > 2 && v < 100,
        v -> v >= 3 && v < limit,
        v -> v < -5 || v > 5,
        v -> v > 0 && (v < 10 || v == 77),
        v -> !(v > 0 && (v < 10 || v == 77)),
        v -> v < 0 ? v > -6 || v == -9 : v < 9 && v != 2,
        v -> (v > 0) == (v < 10),
        v -> v > 0 ^ v % 2 == 0,
        v -> v > 2 || v == -5,
        v -> isLarge(v),
        v -> !isLarge(v),
        v -> isLarge(v) && !isLarge(v - 20),
        v -> v < -5 ? true : isLarge(v),
        v -> isLarge(v) ? true : isLarge(-v),
        v -> isLarge(v) ? isBetween(v, 5, 80) : isLarge(-v),
        v -> isBetween(v, -5, 9) && (isLarge(v) || isBetween(v, -4, 1)),
        v -> Math.abs(v) > 5,
        v -> Math.max(v, 3) == 3 || Math.min(v, 90) == 90,
        v -> Integer.compare(v, 4) > 0,
        v -> {
          int w = v;
          while (w > 9) {
            w -= 10;
          }
          return w == 7;
        },
        v ->
            switch (v & 3) {
              case 0 -> v > 0;
              case 1 -> true;
              case 2 -> v < 0 || v > 50;
              default -> false;
            });
  }

  private static List<Transform.IndexedIntTest> indexed() {
    return List.of(
        (i, v) -> i > v, (i, v) -> i % 3 == 0 && v > 2, (i, v) -> (i & 1) == 0 ? v > 2 : v < 0);
  }

  private static List<Transform.LongTest> longs() {
    return List.of(
        v -> v > 1L << 40,
        v -> v % 3 == 0,
        v -> v >>> 60 == 0,
        v -> v < 0 || v > 1L << 40,
        v -> v > 0 && (v < 10 || v == 77));
  }

  private static List<Transform.FloatTest> floats() {
    return List.of(
        v -> v > 0.25f,
        v -> v <= 0,
        v -> v >= -0f,
        v -> v == 0,
        v -> v != v,
        v -> !(v < 0.5f),
        v -> 1 / v > 0,
        v -> v > -1 && v < 1,
        v -> v < 1 || v != v,
        v -> v == v && v > 1,
        v -> v < 1 || Float.isNaN(v),
        v -> !(v > 0 && (v < 1 || v == 2)),
        v -> Float.compare(v, -0f) > 0);
  }

  private static List<Transform.DoubleTest> doubles() {
    return List.of(
        v -> v > 0.25,
        v -> v <= 0,
        v -> v >= -0d,
        v -> v != v,
        v -> v < 1 || v != v,
        v -> Double.isNaN(v) || v > 1,
        v -> !(v < 0.5),
        v -> v > -1 && v < 1,
        v -> !(v > 0 && (v < 1 || v == 2)));
  }

  @Test
  void intConditions() {
    int[] x = IntStream.range(0, most()).map(i -> INTS[random.nextInt(INTS.length)]).toArray();
    List<Condition> conditions = new ArrayList<>();
    for (Transform.IntTest test :
        Stream.concat(single(x.length & 7).stream(), nested(20).stream()).toList()) {
      conditions.add(new Condition(Transform.testInt("condition", test), i -> test.test(x[i])));
    }
    for (Transform.IndexedIntTest test : indexed()) {
      conditions.add(
          new Condition(Transform.testIndexedInt("condition", test), i -> test.test(i, x[i])));
    }
    check(ElementType.INT, x, conditions);
  }

  @Test
  void longConditions() {
    long[] x =
        IntStream.range(0, most())
            .mapToLong(i -> (long) INTS[random.nextInt(INTS.length)] << 20 * random.nextInt(3))
            .toArray();
    check(
        ElementType.LONG,
        x,
        longs().stream()
            .map(of -> new Condition(Transform.testLong("condition", of), i -> of.test(x[i])))
            .toList());
  }

  @Test
  void floatConditions() {
    float[] x = new float[most()];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) DOUBLES[random.nextInt(DOUBLES.length)];
    }
    check(
        ElementType.FLOAT,
        x,
        floats().stream()
            .map(of -> new Condition(Transform.testFloat("condition", of), i -> of.test(x[i])))
            .toList());
  }

  @Test
  void doubleConditions() {
    double[] x =
        IntStream.range(0, most())
            .mapToDouble(i -> DOUBLES[random.nextInt(DOUBLES.length)])
            .toArray();
    check(
        ElementType.DOUBLE,
        x,
        doubles().stream()
            .map(of -> new Condition(Transform.testDouble("condition", of), i -> of.test(x[i])))
            .toList());
  }

  private void check(ElementType type, Object x, List<Condition> conditions) {
    for (int c = 0; c < conditions.size(); c++) {
      if (target() == Target.EMULATOR && !Seed.draws(random, 3)) {
        continue; // it runs what the JVM runs, in kernels of their own for each condition
      }
      Transform test = conditions.get(c).test();
      try (Plan plan =
          funnel
              .plan("p")
              .input("x", type, most())
              .add("kept", Select.where(test).positions(), "x")
              .add("parts", Partition.where(test), "x")
              .add("again", Select.where(test), "parts_rejected")
              .add("first", FindFirst.where(test), "x")
              .add("count", Reduction.countIf(test), "x")
              .build()) {
        for (int length : lengths()) {
          int[] expected = IntStream.range(0, length).filter(conditions.get(c).at()).toArray();
          String which = "%s condition %s, length %s, %s".formatted(type, c, length, Seed.VALUE);
          Results results = plan.run(Map.of("x", Elements.ofArray(x).range(0, length)));
          assertArrayEquals(expected, results.ints("kept"), which);
          assertEquals(expected.length, results.getInt("parts_split"), which);
          if (!test.isIndexed()) {
            assertEquals(0, results.length("again"), which);
          }
          assertEquals(expected.length > 0 ? expected[0] : -1, results.getInt("first"), which);
          assertEquals(expected.length, results.getLong("count"), which);
        }
      }
    }
  }

  /** What is computed from a condition's value by functions and operators. */
  @Test
  void valuesOfConditions() {
    List<Transform.IntMap> maps =
        List.of(
            v -> v > 2 ? 1 : 0,
            v -> v > 2 ? 5 : 7,
            v -> v > 2 && v < 50 ? 1 : 0,
            v -> v > 2 ? 1 : v < -4 ? -1 : 0);
    List<Operator.IntCombine> operators =
        List.of(
            (a, b) -> a == 1 ? b : 0,
            (a, b) -> a == 1 ? 1 : b,
            (a, b) -> a == 0 ? b : a,
            (a, b) -> a < b ? b : a,
            (a, b) -> a == 1 && b == 1 ? 1 : 0,
            (a, b) -> a != 0 || b != 0 ? 1 : 0);
    int[] identities = {1, 0, 0, Integer.MIN_VALUE, 1, 0};
    int[] x = IntStream.range(0, most()).map(i -> INTS[random.nextInt(INTS.length)]).toArray();
    for (int m = 0; m < maps.size(); m++) {
      Transform.IntMap map = maps.get(m);
      int[] mapped = Arrays.stream(x).map(map).toArray();
      assertArrayEquals(
          mapped, funnel.run(Elementwise.ofInt("map", map), Elements.of(x)).ints("result"));
      for (int o = m % 2 == 0 ? 0 : 2; o < (m % 2 == 0 ? operators.size() : 4); o++) {
        Operator.IntCombine combine = operators.get(o);
        Operator operator = Operator.ofInt("operator", identities[o], combine);
        int[] sums = mapped.clone();
        for (int i = 1; i < sums.length; i++) {
          sums[i] = combine.applyAsInt(sums[i - 1], sums[i]);
        }
        String which = "map %s, operator %s, %s".formatted(m, o, Seed.VALUE);
        assertEquals(
            sums[sums.length - 1],
            funnel
                .run(Reduction.of(operator, Transform.ofInt("map", map)), Elements.of(x))
                .getInt("result"),
            which);
        if (o == 0) {
          Scan scan = Scan.inclusive(operator).mapped(Transform.ofInt("map", map));
          assertArrayEquals(sums, funnel.run(scan, Elements.of(x)).ints("result"), which);
        }
      }
    }
  }
}
