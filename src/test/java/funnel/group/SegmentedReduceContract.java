package funnel.group;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Funnel;
import funnel.Numbers;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Values;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.UserOperators;
import funnel.scan.SegmentOffsetsException;
import funnel.scan.Segments;
import funnel.select.Select;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What reductions of segments are on every engine; the oracle is a plain loop. */
abstract class SegmentedReduceContract extends EngineContract {

  /** Ways to say where segments begin. */
  enum By {
    HEADS(ElementType.BYTE),
    HEAD_BITS(ElementType.INT),
    OFFSETS(ElementType.INT),
    OFFSETS_WITH_END(ElementType.INT),
    INT_KEYS(ElementType.INT),
    LONG_KEYS(ElementType.LONG);

    private final ElementType type;

    By(ElementType type) {
      this.type = type;
    }

    private Segments way() {
      return switch (this) {
        case HEADS -> Segments.byHeads();
        case HEAD_BITS -> Segments.byHeadBits();
        case OFFSETS -> Segments.byOffsets();
        case OFFSETS_WITH_END -> Segments.byOffsetsWithEnd();
        case INT_KEYS, LONG_KEYS -> Segments.byKeys();
      };
    }

    private Elements of(int[] starts, int length, SplittableRandom random) {
      byte[] heads = new byte[length];
      int[] bits = new int[Math.ceilDiv(length, 32)];
      long[] keys = new long[length];
      if (length % 32 > 0) {
        bits[length / 32] = -1 << length; // after the elements, which do not count
      }
      for (int start : starts) {
        boolean isSaid = start < length && (start > 0 || random.nextBoolean());
        if (isSaid) {
          heads[start] = (byte) (1 << random.nextInt(8));
          bits[start / 32] |= 1 << start;
        }
      }
      int segment = -1;
      for (int i = 0; i < length; i++) {
        while (segment + 1 < starts.length && starts[segment + 1] == i) {
          segment++;
        }
        keys[i] = (segment * 77L) << (type == ElementType.LONG ? 32 : 0);
      }
      return switch (this) {
        case HEADS -> Elements.of(heads);
        case HEAD_BITS -> Elements.of(bits);
        case OFFSETS -> Elements.of(starts);
        case OFFSETS_WITH_END ->
            Elements.of(IntStream.concat(IntStream.of(starts), IntStream.of(length)).toArray());
        case INT_KEYS -> Elements.of(IntStream.range(0, length).map(i -> (int) keys[i]).toArray());
        case LONG_KEYS -> Elements.of(keys);
      };
    }
  }

  /** Where segments begin: ascending, from 0 on, and by offsets with empty ones. */
  private static int[] starts(String pattern, By by, int length, SplittableRandom random) {
    TreeSet<Integer> heads = new TreeSet<>();
    for (int i = 0; i < length; i++) {
      boolean isHead =
          switch (pattern) {
            case "one" -> false;
            case "all" -> true;
            case "often" -> random.nextInt(5) == 0;
            default -> i % 3 == 0 && (i < length / 7 || i > length - length / 7); // a long one
          };
      if (i == 0 || isHead) {
        heads.add(i);
      }
    }
    List<Integer> all = new ArrayList<>();
    boolean isOffsets = by == By.OFFSETS || by == By.OFFSETS_WITH_END;
    for (int head : heads) {
      do {
        all.add(head);
      } while (isOffsets && random.nextInt(4) == 0);
    }
    for (int k = random.nextInt(3); k > 0 && isOffsets; k--) {
      all.add(length);
    }
    return all.stream().mapToInt(i -> i).toArray();
  }

  private static Number[] loop(
      Operator operator, ElementType type, Values values, int[] starts, int length) {
    return Numbers.of(
        starts.length,
        s -> {
          Number value = operator.identity(type);
          int end = s + 1 < starts.length ? starts[s + 1] : length;
          for (int i = starts[s]; i < end; i++) {
            value = Numbers.combine(operator, type, value, values.at(i));
          }
          return value;
        });
  }

  private static Number[] numbers(Results results, String name, ElementType type) {
    Values all =
        switch (type) {
          case INT -> new Values(type, results.ints(name), 0, results.length(name));
          case LONG -> new Values(type, results.longs(name), 0, results.length(name));
          case FLOAT -> new Values(type, results.floats(name), 0, results.length(name));
          default -> new Values(type, results.doubles(name), 0, results.length(name));
        };
    return Numbers.of(all.length(), all::at);
  }

  /** Sums of small whole numbers are exact in any tree. */
  private static Values values(ElementType type, int length, SplittableRandom random) {
    Values values = Values.random(type, length + 3, random).range(3, length + 3);
    for (int i = 0; i < length && type.isFloating(); i++) {
      values.put(i, random.nextInt(9) == 0 ? -0.0 : random.nextInt(-50, 50));
    }
    return values;
  }

  @ParameterizedTest
  @EnumSource
  void segments(By by) {
    SplittableRandom random = Seed.random("segments" + by);
    int most = most();
    for (ElementType type : ElementType.values()) {
      if (type == ElementType.BYTE) {
        continue;
      }
      Operator operator = random.nextBoolean() ? Operator.SUM : Operator.MAX;
      try (Plan plan =
          funnel
              .plan("p" + type)
              .input("x", type, most)
              .input("s", by.type, most + 10 + most / 2)
              .add("y", SegmentedReduce.by(operator).segments(by.way()), "x", "s")
              .build()) {
        for (int length : lengths()) {
          for (String pattern : List.of("one", "all", "often", "long")) {
            if (!Seed.draws(random, 2)) {
              continue;
            }
            Values values = values(type, length, random);
            int[] starts = starts(pattern, by, length, random);
            Elements given = by.of(starts, length, random);
            Results got = plan.run(Map.of("x", values.elements(), "s", given));
            Numbers.requireSame(
                loop(operator, type, values, starts, length),
                numbers(got, "y", type),
                "%s of %s by %s, %s, %s%s"
                    .formatted(operator, type, by, pattern, length, Seed.replay()));
          }
        }
      }
    }
  }

  /** At least three tiles, so that segments begin and end in different ones. */
  private int mostOfTiles() {
    return Math.max(most(), 3 * 8192 + 77);
  }

  @Test
  void operatorsThatAreNotCommutative() {
    SplittableRandom random = Seed.random("not commutative");
    int length = mostOfTiles();
    long[] values = random.longs(length).toArray();
    for (By by : List.of(By.OFFSETS, By.HEADS)) {
      int[] starts = starts("often", by, length, random);
      Results got =
          funnel.run(
              SegmentedReduce.by(UserOperators.AFFINE).segments(by.way()),
              Elements.of(values),
              by.of(starts, length, random));
      Numbers.requireSame(
          loop(
              UserOperators.AFFINE,
              ElementType.LONG,
              new Values(ElementType.LONG, values, 0, length),
              starts,
              length),
          numbers(got, "result", ElementType.LONG),
          by + Seed.replay());
    }
  }

  @Test
  void floats() {
    SplittableRandom random = Seed.random("floats");
    int length = mostOfTiles();
    float[] x = new float[length];
    for (int i = 0; i < length; i++) {
      x[i] = (float) random.nextDouble(-1, 1);
    }
    int[] starts = starts("long", By.OFFSETS, length, random);
    Elements given = Elements.of(starts);
    SegmentedReduce sums = SegmentedReduce.by(Operator.SUM).segments(Segments.byOffsets());
    float[] got = funnel.run(sums, Elements.of(x), given).floats("result");
    try (Funnel jvm = Funnel.open(Target.JVM)) {
      assertArrayEquals(jvm.run(sums, Elements.of(x), given).floats("result"), got, Seed.replay());
    }
    for (int s = 0; s < starts.length; s++) {
      int end = s + 1 < starts.length ? starts[s + 1] : length;
      double sum = 0;
      for (int i = starts[s]; i < end; i++) {
        sum += x[i];
      }
      assertEquals(sum, got[s], 1e-5 * (end - starts[s] + 1), Seed.replay());
    }
    float[] special = {1, Float.NaN, 2, -0f, -0f, 0f, -0f, Float.POSITIVE_INFINITY};
    int[] at = {0, 2, 3, 5, 7, 8};
    float inf = Float.POSITIVE_INFINITY;
    Map.of(
            Operator.SUM, new float[] {Float.NaN, 2, 0f, 0f, inf, 0f},
            Operator.MIN, new float[] {Float.NaN, 2, -0f, -0f, inf, inf},
            Operator.MAX, new float[] {Float.NaN, 2, -0f, 0f, inf, -inf})
        .forEach(
            (operator, expected) ->
                assertArrayEquals(
                    expected,
                    funnel
                        .run(
                            SegmentedReduce.by(operator).segments(Segments.byOffsets()),
                            Elements.of(special),
                            Elements.of(at))
                        .floats("result"),
                    operator.name()));
  }

  /** Each begins in one tile and ends in another, at either end of it, or some tiles later. */
  @Test
  void segmentsOverTiles() {
    SplittableRandom random = Seed.random("tiles");
    int length = mostOfTiles();
    double[] x = random.doubles(length, -1, 1).toArray();
    SegmentedReduce sums = SegmentedReduce.by(Operator.SUM).segments(Segments.byOffsets());
    try (Funnel jvm = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("tiles")
                .input("x", ElementType.DOUBLE, length)
                .input("s", ElementType.INT, length)
                .add("y", sums, "x", "s")
                .build()) {
      for (int around : new int[] {1000, 4096, 6000, 8192}) {
        TreeSet<Integer> at = new TreeSet<>();
        for (int i = around; i < length; i += around) {
          at.add(Math.clamp(i + random.nextInt(-5, 6), 0, length));
        }
        int[] starts = at.stream().mapToInt(i -> i).toArray();
        Elements given = Elements.of(starts);
        double[] expected = jvm.run(sums, Elements.of(x), given).doubles("result");
        Results got = plan.run(Map.of("x", Elements.of(x), "s", given));
        assertArrayEquals(expected, got.doubles("y"), around + Seed.replay());
        for (int s = 0; s < starts.length; s++) {
          int end = s + 1 < starts.length ? starts[s + 1] : length;
          double sum = Arrays.stream(x, starts[s], end).sum();
          assertEquals(sum, expected[s], 1e-9, around + Seed.replay());
        }
      }
    }
  }

  @Test
  void manyEmptySegmentsAtOnePlace() {
    int length = 5000;
    int[] x = IntStream.range(0, length).toArray();
    int[] starts =
        IntStream.concat(
                IntStream.range(0, 20_000).map(s -> s < 10 ? s : s < 9000 ? 4100 : 4999),
                IntStream.range(0, 3000).map(s -> length))
            .toArray();
    int[] got =
        funnel
            .run(
                SegmentedReduce.by(Operator.SUM).segments(Segments.byOffsets()),
                Elements.of(x),
                Elements.of(starts))
            .ints("result");
    int[] expected =
        IntStream.range(0, starts.length)
            .map(
                s -> {
                  int end = s + 1 < starts.length ? starts[s + 1] : length;
                  return IntStream.range(starts[s], end).sum();
                })
            .toArray();
    assertArrayEquals(expected, got);
  }

  @Test
  void integersWrapAround_andEmptyInputs() {
    int[] x = {Integer.MAX_VALUE, 1, 5, Integer.MIN_VALUE, -1};
    SegmentedReduce sums = SegmentedReduce.by(Operator.SUM);
    byte[] heads = {0, 0, 3, 0, 0};
    assertArrayEquals(
        new int[] {Integer.MIN_VALUE, Integer.MIN_VALUE + 4},
        funnel.run(sums, Elements.of(x), Elements.of(heads)).ints("result"));
    // before the first offset
    assertArrayEquals(
        new int[] {5, Integer.MAX_VALUE},
        funnel
            .run(sums.segments(Segments.byOffsets()), Elements.of(x), Elements.of(new int[] {2, 3}))
            .ints("result"));
    Elements none = Elements.of(new int[0]);
    assertEquals(0, funnel.run(sums.segments(Segments.byKeys()), none, none).ints("result").length);
    assertEquals(0, funnel.run(sums, none, Elements.of(new byte[0])).ints("result").length);
    assertEquals(
        0, funnel.run(sums.segments(Segments.byHeadBits()), none, none).ints("result").length);
    assertEquals(
        0,
        funnel
            .run(sums.segments(Segments.byOffsets()), Elements.of(x), none)
            .ints("result")
            .length);
    SegmentedReduce ended = sums.segments(Segments.byOffsetsWithEnd());
    Elements end = Elements.of(new int[] {5});
    assertEquals(0, funnel.run(ended, Elements.of(x), end).ints("result").length);
    assertArrayEquals(
        new int[] {0, Integer.MAX_VALUE},
        funnel.run(ended, Elements.of(x), Elements.of(new int[] {3, 3, 5})).ints("result"));
    SegmentedReduce least = SegmentedReduce.by(Operator.MIN).segments(Segments.byOffsets());
    assertArrayEquals(
        new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE},
        funnel.run(least, none, Elements.of(new int[2])).ints("result"));
  }

  @Test
  void foundLengths() {
    SplittableRandom random = Seed.random("found");
    int length = most();
    int[] keys = random.ints(length, 0, 3).toArray();
    int[] x = random.ints(length).toArray();
    Transform even = Transform.testInt("even", v -> (v & 1) == 0);
    List<Integer> last = new ArrayList<>();
    int before = -1;
    for (int i = 0; i < length; i++) {
      if ((x[i] & 1) == 0) {
        if (keys[i] == before) {
          last.set(last.size() - 1, Math.max(x[i], last.getLast()));
        } else {
          last.add(x[i]);
        }
        before = keys[i];
      }
    }
    try (Plan plan =
        funnel
            .plan("chain")
            .input("k", ElementType.INT, length)
            .input("x", ElementType.INT, length)
            .add("kept", Select.where(even).rows(), "x", "k", "x")
            .add(
                "y",
                SegmentedReduce.by(Operator.MAX).segments(Segments.byKeys()),
                "kept_2",
                "kept_1")
            .build()) {
      Results got = plan.run(Map.of("k", Elements.of(keys), "x", Elements.of(x)));
      assertArrayEquals(last.stream().mapToInt(v -> v).toArray(), got.ints("y"), Seed.replay());
    }
  }

  @Test
  void whatIsNotTaken_isNamed() {
    SegmentedReduce sums = SegmentedReduce.by(Operator.SUM);
    Plan.Builder plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, 5)
            .input("b", ElementType.BYTE, 5)
            .input("f", ElementType.FLOAT, 5);
    Map<Runnable, String> messages =
        Map.of(
            () -> plan.add("a", sums, "x"), "given are 1",
            () -> plan.add("a", sums, "b", "b"), "input b is of type BYTE",
            () -> plan.add("a", sums, "x", "f"), "but f is of type FLOAT",
            () -> plan.add("a", SegmentedReduce.by(Operator.AND), "f", "b"), "and",
            () -> funnel.run(sums, Elements.of(new int[2]), Elements.of(new byte[3])), "length",
            () ->
                    funnel.run(
                        sums.segments(Segments.byHeadBits()),
                        Elements.of(new int[2]),
                        Elements.of(new int[2])),
                "by head bits input2: length=2, for 2 values it is 1");
    messages.forEach(
        (run, message) -> {
          String given = assertThrows(IllegalArgumentException.class, run::run).getMessage();
          assertTrue(String.valueOf(given).contains(message), given);
        });
    for (int[] offsets : List.of(new int[] {0, 4}, new int[] {3}, new int[] {0, 6})) {
      assertThrows(
          SegmentOffsetsException.class,
          () ->
              funnel.run(
                  sums.segments(Segments.byOffsetsWithEnd()),
                  Elements.of(new int[5]),
                  Elements.of(offsets)),
          () -> Arrays.toString(offsets));
    }
    for (int[] offsets : List.of(new int[] {0, 4, 3}, new int[] {-1}, new int[] {0, 6})) {
      assertThrows(
          SegmentOffsetsException.class,
          () ->
              funnel.run(
                  sums.segments(Segments.byOffsets()),
                  Elements.of(new int[5]),
                  Elements.of(offsets)));
    }
  }
}
