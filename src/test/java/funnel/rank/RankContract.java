package funnel.rank;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.ptx.PtxDriver;
import funnel.scan.Segments;
import funnel.select.Select;
import funnel.sort.SortOracle;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What elements by ranks are on every engine; the oracle is the JDK's sort of boxed positions. */
abstract class RankContract extends EngineContract {

  private static final int TURN = Seed.random("turn of lengths").nextInt(2);

  /** A length of several tiles, for each kind of elements. */
  abstract int several();

  private static TopK top(boolean isLargest, int k) {
    return (isLargest ? TopK.largest(k) : TopK.smallest(k)).withPositions();
  }

  private Plan plan(ElementType type, int capacity, TopK top) {
    return funnel
        .plan("p")
        .input("x", type, capacity)
        .add("y", top, "x")
        .add("at", top.positions(), "x")
        .build();
  }

  /** Runs over arrays at offsets, with guards around the outputs. */
  private static void check(Plan plan, TopK top, Values x, String what) {
    SplittableRandom random = Seed.random(what);
    int length = x.length();
    ElementType type = x.type();
    int[] order = SortOracle.order(length, top.isLargest(), (i, j) -> SortOracle.compare(x, i, j));
    int k = Math.min(top.k(), length);
    int[] first = Arrays.copyOf(order, k);
    int from = random.nextInt(4);
    int positionsFrom = random.nextInt(4);
    Values input = SortOracle.at(type, 3 - from, x);
    int hash = input.hash();
    Values y = Values.guard(type, k + from + 3);
    Values positions = Values.guard(ElementType.INT, k + positionsFrom + 3);
    Results results =
        plan.run(
            Map.of("x", input.range(3 - from, 3 - from + length).elements()),
            Map.of(
                "y", y.range(from, from + k).elements(),
                "y_positions", positions.range(positionsFrom, positionsFrom + k).elements()));
    String said = "%s, %s of %s".formatted(what, top, length);
    SortOracle.requireSorted(x, first, y, from, said);
    Values wanted = Values.ofLength(ElementType.INT, k);
    IntStream.range(0, k).forEach(i -> wanted.set(i, first[i]));
    int[] asTheyAre = IntStream.range(0, k).toArray();
    SortOracle.requireSorted(wanted, asTheyAre, positions, positionsFrom, said + ", positions");
    assertArrayEquals(first, results.ints("at"), () -> said + Seed.replay());
    assertEquals(k, results.length("y"), said);
    assertEquals(hash, input.hash(), said + ", input");
  }

  @ParameterizedTest
  @Types
  void topOfAnyLength(ElementType type) {
    SplittableRandom random = Seed.random("top" + type);
    int[] many = {1, 2047 + random.nextInt(3), most(), 1 + random.nextInt(most())};
    for (int i = 0; i < many.length; i++) {
      if ((i + type.ordinal()) % 2 > 0 && !Seed.draws(random, 10)) {
        continue; // each number of two types or three, since each is a plan of its own
      }
      TopK top = top(random.nextBoolean(), many[i]);
      try (Plan plan = plan(type, most(), top)) {
        for (int k = 0; k < lengths().length; k++) {
          if (target() != Target.EMULATOR || (TURN + type.ordinal() / 2 + k) % 2 == 0) {
            Values x = SortOracle.made(type, lengths()[k], _ -> random.nextLong());
            check(plan, top, x, "" + type);
          }
        }
      }
    }
  }

  private List<Values> kinds(ElementType type, SplittableRandom random) {
    return PtxDriver.isDevice(target())
        ? SortOracle.keys(type, several(), random)
        : SortOracle.dealtKeys(type, several(), random);
  }

  @ParameterizedTest
  @Types
  void topOfElementsOfAllKinds(ElementType type) {
    SplittableRandom random = Seed.random("top of kinds" + type);
    boolean isLargest = random.nextBoolean();
    for (TopK top :
        List.of(
            top(isLargest, 1 + random.nextInt(100)),
            top(!isLargest, 1 + random.nextInt(several())))) {
      try (Plan plan = plan(type, several(), top)) {
        int kind = 0;
        for (Values x : kinds(type, random)) {
          check(plan, top, x, "%s, kind %s".formatted(type, kind++));
        }
      }
    }
  }

  /** Where random segments of an array begin, the last offset at its end. */
  private static int[] offsets(int length, boolean hasEmpty, int k, SplittableRandom random) {
    IntStream.Builder offsets = IntStream.builder();
    int at = hasEmpty && random.nextBoolean() ? Math.min(random.nextInt(3), length) : 0;
    while (at < length) {
      offsets.add(at);
      int most =
          switch (random.nextInt(4)) {
            case 0 -> 3;
            case 1 -> k + 2;
            case 2 -> 40;
            default -> 600;
          };
      at += random.nextInt(hasEmpty ? 0 : 1, most + 1);
    }
    return offsets.add(length).build().toArray();
  }

  private static Elements given(Segments by, int[] offsets, int length) {
    int[] segments = new int[length];
    byte[] heads = new byte[length];
    int[] bits = new int[(length + 31) / 32];
    for (int s = 0; s + 1 < offsets.length; s++) {
      Arrays.fill(segments, offsets[s], offsets[s + 1], s % 2);
      if (length > 0) {
        heads[offsets[s]] = (byte) (1 + s % 255);
        bits[offsets[s] / 32] |= 1 << offsets[s] % 32;
      }
    }
    return Map.of(
            Segments.byHeads(),
            Elements.of(heads),
            Segments.byHeadBits(),
            Elements.of(bits),
            Segments.byKeys(),
            Elements.of(segments))
        .getOrDefault(by, Elements.of(offsets));
  }

  @ParameterizedTest
  @Types
  void topOfSegments(ElementType type) {
    SplittableRandom random = Seed.random("top of segments" + type);
    Segments by =
        List.of(
                Segments.byHeads(),
                Segments.byHeadBits(),
                Segments.byOffsets(),
                Segments.byOffsetsWithEnd(),
                Segments.byKeys())
            .get(random.nextInt(5));
    boolean isByOffsets = by.areByOffsets();
    int k = 1 + random.nextInt(random.nextBoolean() ? 4 : 100);
    TopK top = top(random.nextBoolean(), k);
    int most = several() / 3;
    ElementType ofSegments = by.equals(Segments.byHeads()) ? ElementType.BYTE : ElementType.INT;
    try (Plan plan =
        funnel
            .plan("s")
            .input("x", type, most)
            .input("segments", ofSegments, most + 2)
            .add("y", new SegmentedTopK(top, by), "x", "segments")
            .build()) {
      for (int length : new int[] {0, 1, 2 + random.nextInt(40), most}) {
        long mask = random.nextLong() | random.nextLong();
        Values x = SortOracle.made(type, length, i -> random.nextLong() & mask);
        int[] begins = offsets(length, isByOffsets, k, random);
        IntStream.Builder first = IntStream.builder();
        IntStream.Builder starts = IntStream.builder();
        int kept = 0;
        int segments = isByOffsets ? begins.length : begins.length - 1;
        for (int s = -1; s < segments; s++) {
          int from = s < 0 ? 0 : begins[s];
          int to = s + 1 < begins.length ? begins[s + 1] : length;
          if (s >= 0) {
            starts.add(kept);
          }
          int[] order =
              SortOracle.order(
                  to - from, top.isLargest(), (i, j) -> SortOracle.compare(x, from + i, from + j));
          for (int i = 0; i < Math.min(k, order.length); i++) {
            first.add(from + order[i]);
            kept++;
          }
        }
        int[] expected = first.build().toArray();
        Values y = Values.guard(type, kept + 6);
        Results results =
            plan.run(
                Map.of("x", x.elements(), "segments", given(by, begins, length)),
                Map.of("y", y.range(3, 3 + kept).elements()));
        String said = "%s, %s by %s, of %s".formatted(type, top, by, length);
        SortOracle.requireSorted(x, expected, y, 3, said);
        assertArrayEquals(expected, results.ints("y_positions"), said + Seed.replay());
        assertArrayEquals(
            starts.build().toArray(), results.ints("y_offsets"), said + Seed.replay());
      }
    }
  }

  /** The bits of the elements at ranks. */
  private static long[] bits(Values x, int... ranks) {
    int[] order = SortOracle.order(x.length(), false, (i, j) -> SortOracle.compareAlone(x, i, j));
    return IntStream.of(ranks).mapToLong(rank -> SortOracle.bits(x, order[rank])).toArray();
  }

  /** As NumPy has it, in its order of operations, and as documented where that overflows. */
  private static double between(double a, double b, double t) {
    if (a == b || t == 0) {
      return a;
    }
    if (Double.isInfinite(a) || Double.isInfinite(b)) {
      return a + b;
    }
    double twice = Double.isInfinite(b - a) ? 2 : 1;
    double step = b / twice - a / twice;
    return t >= 0.5 ? b - step * (1 - t) * twice : a + step * t * twice;
  }

  private void quantiles(Plan plan, Values x, double[] q, String what) {
    int n = x.length();
    int from = Seed.random(what).nextInt(4);
    Values input = SortOracle.at(x.type(), from, x);
    int m = n == 0 ? 0 : q.length;
    Values y = Values.guard(x.type(), 3 + m + 3);
    Values between = Values.guard(ElementType.DOUBLE, 2 + m + 3);
    Results results =
        plan.run(
            Map.of("x", input.range(from, from + n).elements()),
            Map.of(
                "y", y.range(3, 3 + m).elements(), "between", between.range(2, 2 + m).elements()));
    assertEquals(m, results.length("y"), what);
    assertEquals(m, results.length("between"), what);
    Values guard = Values.guard(x.type(), 1);
    int[] ranks = new int[3 * m];
    for (int i = 0; i < m; i++) {
      ranks[3 * i] = Math.max((int) Math.ceil(q[i] * n) - 1, 0);
      ranks[3 * i + 1] = (int) Math.floor(q[i] * (n - 1));
      ranks[3 * i + 2] = Math.min(ranks[3 * i + 1] + 1, n - 1);
    }
    long[] bits = bits(x, ranks);
    Values sides = SortOracle.made(x.type(), bits.length, i -> bits[i]);
    for (int i = -3; i < m + 3; i++) {
      String said = "%s, n=%s, quantile %s%s".formatted(what, n, i, Seed.replay());
      boolean isOne = i >= 0 && i < m;
      assertEquals(
          isOne ? bits[3 * i] : SortOracle.bits(guard, 0), SortOracle.bits(y, 3 + i), said);
      if (isOne) {
        double weight = q[i] * (n - 1) - ranks[3 * i + 1];
        assertEquals(
            between(sides.doubleAt(3 * i + 1), sides.doubleAt(3 * i + 2), weight),
            between.doubleAt(2 + i),
            said);
      }
    }
    between.requireGuards(2, what);
  }

  private static double[] someQuantiles(int count, SplittableRandom random) {
    double[] q = DoubleStream.generate(() -> quantile(random)).limit(count).toArray();
    q[random.nextInt(count)] = 0.5;
    return q;
  }

  private static double quantile(SplittableRandom random) {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextInt(101) / 100.0;
      case 1 -> random.nextInt(2);
      case 2 -> random.nextDouble() * Double.MIN_NORMAL;
      case 3 -> random.nextInt(5) / 4.0;
      case 4 -> 1 - random.nextDouble() * 1e-4;
      default -> random.nextDouble();
    };
  }

  private Plan plan(ElementType type, int capacity, double... q) {
    return funnel
        .plan("q")
        .input("x", type, capacity)
        .add("y", Quantiles.of(q), "x")
        .add("between", Quantiles.of(q).interpolated(), "x")
        .build();
  }

  @ParameterizedTest
  @Types
  void quantilesOfAnyLength(ElementType type) {
    SplittableRandom random = Seed.random("quantiles" + type);
    int[] counts = {1, 8 + random.nextInt(2), 16 + random.nextInt(10)};
    for (int i = 0; i < counts.length; i++) {
      if ((i + type.ordinal()) % 3 == 2 && !Seed.draws(random, 10)) {
        continue;
      }
      int count = counts[i];
      double[] q = someQuantiles(count, random);
      try (Plan plan = plan(type, most(), q)) {
        for (int length : lengths()) {
          Values x = SortOracle.made(type, length, _ -> random.nextLong());
          quantiles(plan, x, q, "%s at %s".formatted(type, Arrays.toString(q)));
        }
      }
    }
  }

  @ParameterizedTest
  @Types
  void quantilesOfElementsOfAllKinds(ElementType type) {
    SplittableRandom random = Seed.random("quantiles of kinds" + type);
    double[] q = someQuantiles(1 + random.nextInt(9), random);
    try (Plan plan = plan(type, several(), q)) {
      int kind = 0;
      for (Values x : kinds(type, random)) {
        quantiles(plan, x, q, "%s, kind %s, at %s".formatted(type, kind++, Arrays.toString(q)));
      }
    }
  }

  @Test
  void examples() {
    Elements pi = Elements.of(new int[] {3, 1, 4, 1, 5});
    assertArrayEquals(new int[] {5, 4, 3}, funnel.run(TopK.largest(3), pi).ints("result"));
    assertArrayEquals(
        new int[] {4, 2, 0}, funnel.run(TopK.largest(3).positions(), pi).ints("result"));
    Results least = funnel.run(TopK.smallest(2).withPositions(), pi);
    assertArrayEquals(new int[] {1, 1}, least.ints("result"));
    assertArrayEquals(new int[] {1, 3}, least.ints("result_positions"));
    assertArrayEquals(new int[] {5, 4, 3, 1, 1}, funnel.run(TopK.largest(9), pi).ints("result"));
    Elements none = Elements.of(new long[0]);
    assertArrayEquals(new long[0], funnel.run(TopK.largest(9), none).longs("result"));
    assertArrayEquals(new int[] {1, 3, 5}, funnel.run(Quantiles.of(0, .5, .9), pi).ints("result"));
    Elements four = Elements.of(new long[] {10, 1, 3, 2});
    assertArrayEquals(new long[] {2}, funnel.run(Quantiles.median(), four).longs("result"));
    assertArrayEquals(
        new double[] {2.5, 1.75},
        funnel.run(Quantiles.of(.5, .25).interpolated(), four).doubles("result"));
    assertArrayEquals(new long[0], funnel.run(Quantiles.median(), none).longs("result"));
    assertArrayEquals(
        new double[0], funnel.run(Quantiles.median().interpolated(), none).doubles("result"));
    float infinity = Float.POSITIVE_INFINITY;
    Elements floats = Elements.of(new float[] {infinity, Float.NaN, -infinity, infinity});
    assertArrayEquals(
        new double[] {-infinity, infinity, infinity, Double.NaN, Double.NaN},
        funnel.run(Quantiles.of(0, .5, 2 / 3.0, .9, 1).interpolated(), floats).doubles("result"));
    Results ofSegments =
        funnel.run(
            SegmentedTopK.of(TopK.largest(2).withPositions()).segments(Segments.byOffsets()),
            pi,
            Elements.of(new int[] {0, 2, 5}));
    assertArrayEquals(new int[] {3, 1, 5, 4}, ofSegments.ints("result"));
    assertArrayEquals(new int[] {0, 1, 4, 2}, ofSegments.ints("result_positions"));
    assertArrayEquals(new int[] {0, 2, 4}, ofSegments.ints("result_offsets"));
    Elements bytes = Elements.of(new byte[] {1, -1, 0});
    assertArrayEquals(new byte[] {-1}, funnel.run(TopK.largest(1), bytes).bytes("result"));
    assertArrayEquals(
        new double[] {128}, funnel.run(Quantiles.of(.75).interpolated(), bytes).doubles("result"));
  }

  /** Beside an infinity is that infinity; between finite elements nothing overflows. */
  @Test
  void interpolationBetweenFarElements() {
    double infinity = Double.POSITIVE_INFINITY;
    double most = Double.MAX_VALUE;
    double[][] pairs = {
      {1, infinity},
      {-infinity, 1},
      {-infinity, infinity},
      {infinity, infinity},
      {-infinity, -infinity},
      {-most, most},
      {-most, 0.75 * most},
      {-most, 3},
      {2, most},
    };
    double[] shares = {0, 0.25, 0.5, 0.75, 1};
    Quantiles quantiles = Quantiles.of(shares).interpolated();
    try (Plan plan =
        funnel.plan("far").input("x", ElementType.DOUBLE, 2).add("y", quantiles, "x").build()) {
      for (double[] pair : pairs) {
        double[] found = plan.run(Map.of("x", Elements.of(pair))).doubles("y");
        for (int i = 0; i < shares.length; i++) {
          double expected = shares[i] == 1 ? pair[1] : between(pair[0], pair[1], shares[i]);
          assertEquals(expected, found[i], shares[i] + " of " + Arrays.toString(pair));
        }
      }
    }
    float[] floats = {1, Float.POSITIVE_INFINITY};
    assertArrayEquals(
        new double[] {1, infinity, infinity},
        funnel.run(Quantiles.of(0, .25, .5).interpolated(), Elements.of(floats)).doubles("result"));
  }

  /** Of what a selection has kept, and what follows takes fewer than k too. */
  @Test
  void betweenOthers() {
    Transform odd = Transform.testInt("odd", v -> (v & 1) == 1);
    try (Plan plan =
        funnel
            .plan("chain")
            .input("x", ElementType.INT, 7)
            .add("kept", Select.where(odd), "x")
            .add("top", TopK.largest(3).withPositions(), "kept")
            .add("median", Quantiles.median(), "top")
            .add("least", TopK.smallest(1), "top_positions")
            .build()) {
      Results got = plan.run(Map.of("x", Elements.of(new int[] {4, 9, 7, 2, 9, 1, 3})));
      assertArrayEquals(new int[] {9, 9, 7}, got.ints("top"));
      assertArrayEquals(new int[] {0, 2, 1}, got.ints("top_positions"));
      assertArrayEquals(new int[] {9}, got.ints("median"));
      assertArrayEquals(new int[] {0}, got.ints("least"));
      got = plan.run(Map.of("x", Elements.of(new int[] {4, 9, 2})));
      assertArrayEquals(new int[] {9}, got.ints("top"));
      assertArrayEquals(new int[] {9}, got.ints("median"));
      got = plan.run(Map.of("x", Elements.of(new int[] {4})));
      assertEquals(
          List.of(0, 0, 0), List.of(got.length("top"), got.length("median"), got.length("least")));
    }
  }

  @Test
  void whatIsNotTaken_isNamed() {
    Plan.Builder plan = funnel.plan("p").input("x", ElementType.INT, 5);
    Map<Runnable, String> messages =
        Map.of(
            () -> TopK.largest(0), "k=0",
            () -> TopK.smallest(-1), "k=-1",
            () -> new TopK(1, true, false, false), "hasPositions=false",
            () -> plan.add("a", TopK.largest(1), "x", "x"), "takes one input, given=2",
            () -> plan.add("a", Quantiles.median()), "takes one input, given=0",
            () -> Quantiles.of(), "quantiles=0",
            () -> Quantiles.of(new double[1025]), "quantiles=1025",
            () -> Quantiles.of(.5, -1e-9), "quantile 1 is -1.0E-9",
            () -> Quantiles.of(1.5), "quantile 0 is 1.5",
            () -> Quantiles.of(Double.NaN), "quantile 0 is NaN");
    messages.forEach(
        (run, message) -> {
          String given = assertThrows(IllegalArgumentException.class, run::run).getMessage();
          assertTrue(String.valueOf(given).contains(message), given);
        });
    String one =
        assertThrows(
                IllegalArgumentException.class,
                () -> plan.add("a", SegmentedTopK.of(TopK.largest(1)), "x"))
            .getMessage();
    assertTrue(String.valueOf(one).contains("elements and segments, given=1"), one);
    assertEquals(Quantiles.of(-0.0), Quantiles.of(0));
  }
}
