package funnel.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Exact;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * What reductions give on every engine. Integers are compared with plain loops; sums that round
 * with the exact sum within the documented bound, and bit for bit with {@link Trees}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ReduceContract {

  private static final int CAPACITY = 4500;

  /** Plans that several tests use: building one compiles its kernels. */
  private record Key(ElementType type, int capacity) {}

  private record Part(Plan plan, List<Case> cases) {}

  private final Map<Key, List<Part>> plans = new HashMap<>();
  private Funnel funnel;

  /** The engine under test. */
  abstract Funnel open();

  /** Sizes for all reductions together, besides {@link Size#small}. */
  abstract List<Size> mediumSizes();

  /** Sizes for {@link Case#some}. */
  abstract List<Size> largeSizes(ElementType type);

  /** Of the small sizes, which to try with all reductions. */
  List<Size> smallSizes() {
    return Size.small();
  }

  /** The most reductions of one plan. */
  int casesOfAPlan() {
    return Integer.MAX_VALUE;
  }

  /** Whether a kind of data is tried with a type. */
  boolean isTried(Kind kind, ElementType type) {
    return true;
  }

  /** Whether a part of an array is tried with a type. */
  boolean isTried(int part, ElementType type) {
    return true;
  }

  /** Capacity of the plans for short inputs. */
  int capacity() {
    return CAPACITY;
  }

  @BeforeAll
  void openFunnel() {
    funnel = open();
  }

  @AfterAll
  void closeFunnel() {
    if (funnel != null) {
      funnel.close();
    }
  }

  private SplittableRandom random(String test) {
    return Seed.random(getClass().getSimpleName() + test);
  }

  private Plan plan(List<Case> cases, ElementType type, int capacity) {
    Plan.Builder plan =
        funnel.plan("contract").input("x", type, capacity).input("y", type, capacity);
    cases.forEach(c -> c.addTo(plan));
    return plan.build();
  }

  private List<List<Case>> parts(List<Case> cases) {
    List<List<Case>> parts = new ArrayList<>();
    for (int from = 0; from < cases.size(); ) {
      int to = from + Math.min(casesOfAPlan(), cases.size() - from);
      parts.add(cases.subList(from, to));
      from = to;
    }
    return parts;
  }

  /** Runs all reductions in plans that are kept. */
  private void checkAll(int capacity, Values x, Values y, String what) {
    List<Part> all =
        plans.computeIfAbsent(
            new Key(x.type(), capacity),
            key ->
                parts(Case.all(key.type())).stream()
                    .map(cases -> new Part(plan(cases, key.type(), key.capacity()), cases))
                    .toList());
    all.forEach(part -> check(part.plan(), part.cases(), x, y, what));
  }

  /** Runs all cases in one plan; every output is right and no input is written. */
  private static void check(Plan plan, List<Case> cases, Values x, Values y, String what) {
    int hash = x.hash();
    Results results = plan.run(Map.of("x", x.elements(), "y", y.elements()));
    assertEquals(hash, x.hash(), () -> "input was written: " + x + " " + what + Seed.replay());
    for (Case c : cases) {
      c.outputs()
          .forEach(
              (end, oracle) -> check(results, c.name() + end, oracle.of(x, y), x + " " + what));
    }
  }

  private static void check(Results results, String output, Number expected, String what) {
    String message = output + " of " + what + Seed.replay();
    if (expected == null) {
      assertThrows(NoSuchElementException.class, () -> results.get(output), message);
    } else {
      assertEquals(expected, results.get(output), message);
    }
  }

  // Sizes

  @ParameterizedTest
  @Types
  void everyReduction_everySize(ElementType type) {
    SplittableRandom random = random("sizes" + type);
    Kind[] kinds = {Kind.RANDOM, Kind.NEAR_ONE, Kind.FEW};
    int turn = random.nextInt(kinds.length);
    for (Size size : smallSizes()) {
      Kind kind = kinds[turn++ % kinds.length];
      Values x = kind.make(type, size.n(), random);
      Values y = Kind.RANDOM.make(type, size.n(), random);
      checkAll(capacity(), x, y, kind + " " + size);
    }
  }

  @ParameterizedTest
  @Types
  void everyReduction_longerInputs(ElementType type) {
    SplittableRandom random = random("medium" + type);
    int capacity = mediumSizes().stream().mapToInt(Size::n).max().orElseThrow();
    for (Size size : mediumSizes()) {
      Values x = Kind.RANDOM.make(type, size.n(), random);
      Values y = Kind.RANDOM.make(type, size.n(), random);
      checkAll(capacity, x, y, size.toString());
    }
  }

  @ParameterizedTest
  @Types
  void someReductions_longInputs(ElementType type) {
    SplittableRandom random = random("large" + type);
    List<Case> cases = Case.some(type);
    List<Size> sizes = largeSizes(type);
    int capacity = sizes.stream().mapToInt(Size::n).max().orElseThrow();
    try (Plan plan = plan(cases, type, capacity)) {
      for (Size size : sizes) {
        Values x = Kind.RANDOM.make(type, size.n(), random);
        check(plan, cases, x, x, size.toString());
      }
    }
  }

  // Data

  @ParameterizedTest
  @Types
  void everyReduction_everyKindOfData(ElementType type) {
    SplittableRandom random = random("kinds" + type);
    int[] sizes = {1, 2, 257, 1021, 2049, CAPACITY};
    for (Kind kind : Kind.values()) {
      if (kind.isFor(type) && isTried(kind, type)) {
        int n =
            random.nextBoolean()
                ? sizes[random.nextInt(sizes.length)]
                : 3 + random.nextInt(CAPACITY - 3);
        Values x = kind.make(type, n, random);
        Values y = Kind.FEW.make(type, n, random);
        checkAll(capacity(), x, y, kind.toString());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void minMaxAndArg_oneNaN_atEachInterestingPlace(ElementType type) {
    List<String> wanted = List.of("min", "max", "argMin", "argMax", "minMax", "sum");
    List<Case> cases = Case.all(type).stream().filter(c -> wanted.contains(c.name())).toList();
    int n = 4200;
    int[] places = {
      0, 1, 3, 4, 31, 32, 255, 256, 1019, 1020, 1023, 1024, 2043, 2044, 2047, 2048, 4095, n - 1
    };
    try (Plan plan = plan(cases, type, n)) {
      for (int place : places) {
        Values x = Kind.FEW.make(type, n, random("NaN"));
        x.set(place, Double.NaN);
        check(plan, cases, x, x, "NaN at " + place);
      }
    }
  }

  @ParameterizedTest
  @Types
  void arg_ties_firstIndex(ElementType type) {
    SplittableRandom random = random("ties" + type);
    List<Case> cases = Case.all(type).stream().filter(c -> c.name().startsWith("arg")).toList();
    try (Plan plan = plan(cases, type, CAPACITY)) {
      for (int n : new int[] {2, 256, 2048, 4097, CAPACITY}) {
        Values constant = Kind.CONSTANT.make(type, n, random);
        check(plan, cases, constant, constant, "all equal");
        Values two = Kind.CONSTANT.make(type, n, random);
        int first = random.nextInt(n);
        int second = random.nextInt(n);
        for (long extreme : new long[] {-100, 100}) {
          two.set(first, extreme);
          two.set(second, extreme);
          check(plan, cases, two, two, extreme + " at " + first + " and " + second);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void sums_areWithinTheDocumentedBoundOfTheExactSum(ElementType type) {
    SplittableRandom random = random("bound" + type);
    double unit = type == ElementType.FLOAT ? 0x1p-24 : 0x1p-53;
    for (int n : new int[] {1, 1000, 4097, 4500}) {
      for (Kind kind : List.of(Kind.RANDOM, Kind.ALTERNATING, Kind.NEAR_ONE)) {
        Values x = kind.make(type, n, random);
        BigDecimal exact = BigDecimal.ZERO;
        BigDecimal magnitude = BigDecimal.ZERO;
        for (int i = 0; i < n; i++) {
          BigDecimal value = new BigDecimal(x.doubleAt(i));
          exact = exact.add(value);
          magnitude = magnitude.add(value.abs());
        }
        BigDecimal sum = new BigDecimal(funnel.reduce(x.elements(), Reduction.sum()).doubleValue());
        BigDecimal bound = magnitude.multiply(new BigDecimal((n / 0x1p21 + 24) * unit));
        BigDecimal error = sum.subtract(exact).abs();
        assertTrue(
            error.compareTo(bound) <= 0,
            () -> "error %s, bound %s, %s %s%s".formatted(error, bound, kind, x, Seed.replay()));
      }
    }
  }

  @ParameterizedTest
  @Types
  void meansAndVariances_areWithinTheDocumentedBound(ElementType type) {
    SplittableRandom random = random("variances" + type);
    for (int n : new int[] {1, 2, 4, 1000, 4500}) {
      List<Values> all = new ArrayList<>(Values.closeToEachOther(type, n, random));
      all.add(Values.random(type, n, random));
      for (Values x : all) {
        Exact exact = Exact.of(x, IntStream.range(0, n));
        String what = "%s %s%s".formatted(type, x.at(n - 1), Seed.replay());
        double units = n / 0x1p21;
        Elements elements = x.elements();
        double mean = funnel.reduce(elements, Reduction.mean()).doubleValue();
        exact.requireMean(mean, units + 26, what);
        units += 2 * Math.sqrt(n) + 30;
        double variance = funnel.reduce(elements, Reduction.variance()).doubleValue();
        exact.requireVariance(0, variance, units, what);
        double ofSample = funnel.reduce(elements, Reduction.sampleVariance()).doubleValue();
        exact.requireVariance(1, ofSample, units, what);
      }
    }
  }

  @Test
  void variancesOfNumbersFarFromZero() {
    long t = 1_700_000_000_000_000_000L;
    Elements times = Elements.of(new long[] {t, t + 1, t + 2, t + 3});
    assertEquals(1.25, funnel.reduce(times, Reduction.variance()));
    Elements two = Elements.of(new double[] {1e16, 1e16 + 2});
    assertEquals(1.0, funnel.reduce(two, Reduction.variance()));
    Elements ends = Elements.of(new long[] {Long.MIN_VALUE, Long.MAX_VALUE});
    assertEquals(0x1p126, funnel.reduce(ends, Reduction.variance()));
    Elements equal = Elements.of(new double[] {0.1, 0.1, 0.1});
    assertEquals(0.0, funnel.reduce(equal, Reduction.variance()));
  }

  // Operators

  @Test
  void merge_operandsAreAlwaysNeighboursInOrder() {
    List<Size> sizes = new ArrayList<>(smallSizes());
    sizes.addAll(mediumSizes());
    sizes.addAll(largeSizes(ElementType.LONG));
    int capacity = sizes.stream().mapToInt(Size::n).max().orElseThrow();
    try (Plan plan =
        funnel
            .plan("neighbours")
            .input("x", ElementType.LONG, capacity)
            .add("merged", Reduction.of(UserOperators.MERGE), "x")
            .build()) {
      for (Size size : sizes) {
        long[] ranges =
            IntStream.range(0, size.n()).mapToLong(i -> UserOperators.pack(i, i + 1)).toArray();
        long merged = plan.run(Map.of("x", Elements.of(ranges))).getLong("merged");
        long expected = size.n() == 0 ? 0 : UserOperators.pack(0, size.n());
        assertEquals(Long.toHexString(expected), Long.toHexString(merged), size.toString());
      }
    }
  }

  @Test
  void merge_seesAGap() {
    for (int gap : new int[] {0, 1, 255, 2047, 2048, 3000}) {
      long[] ranges =
          IntStream.range(0, 3002)
              .mapToLong(i -> UserOperators.pack(i > gap ? i + 1 : i, i > gap ? i + 2 : i + 1))
              .toArray();
      assertEquals(
          UserOperators.NOT_ADJACENT, funnel.reduce(ranges, UserOperators.MERGE), "gap " + gap);
    }
  }

  @Test
  void operatorsSeeNothingOutsideOfTheInput() {
    // Were anything but elements and the identity combined, the result would not be a range's.
    long[] around = new long[3000];
    Arrays.fill(around, 0x7777777766666666L);
    for (int from : new int[] {0, 1, 3, 500}) {
      for (int to : new int[] {from, from + 1, 2047, 2999}) {
        for (int i = from; i < to; i++) {
          around[i] = UserOperators.pack(i, i + 1);
        }
        assertEquals(
            from == to ? 0 : UserOperators.pack(from, to),
            funnel.reduce(Elements.of(around, from, to), Reduction.of(UserOperators.MERGE)),
            from + " to " + to);
        Arrays.fill(around, 0x7777777766666666L);
      }
    }
  }

  // Where elements are

  @ParameterizedTest
  @Types
  void everyReduction_oddRangesOfArrays(ElementType type) {
    SplittableRandom random = random("ranges" + type);
    Values all = Kind.RANDOM.make(type, CAPACITY, random);
    int[][] ranges = {
      {1, 1}, {CAPACITY, CAPACITY}, {1, 2}, {3, 1030}, {7, 2055}, {1, CAPACITY}, {13, CAPACITY - 5}
    };
    int turn = 0;
    for (int[] range : ranges) {
      if (isTried(turn++, type)) {
        Values x = all.range(range[0], range[1]);
        checkAll(capacity(), x, x, "of a longer array");
      }
    }
  }

  @ParameterizedTest
  @Types
  void everyReduction_boundArrays_anyPart(ElementType type) {
    SplittableRandom random = random("bound" + type);
    int n = 3000;
    Values x = Kind.RANDOM.make(type, n, random);
    Values y = Kind.RANDOM.make(type, n, random);
    TornadoNativeArray xArray = x.tornadoArray();
    TornadoNativeArray yArray = y.tornadoArray();
    int[][] parts = {
      {0, n}, {1, n}, {5, 5}, {n - 1, n}, {3, 2051}, {n - 257, n}, {0, 0}, {0, n}, {n, n}
    };
    for (List<Case> cases : parts(Case.all(type))) {
      Plan.Builder builder = funnel.plan("bound").input("x", xArray).input("y", yArray);
      cases.forEach(c -> c.addTo(builder));
      try (Plan plan = builder.build()) {
        int turn = 0;
        for (int[] part : parts) {
          if (!isTried(turn++, type)) {
            continue;
          }
          plan.changed("x", part[0], part[1]).changed("y", part[0], part[1]);
          Results results = plan.run();
          Values xPart = x.range(part[0], part[1]);
          Values yPart = y.range(part[0], part[1]);
          for (Case c : cases) {
            c.outputs()
                .forEach(
                    (end, oracle) ->
                        check(results, c.name() + end, oracle.of(xPart, yPart), xPart + " bound"));
          }
        }
      }
    }
  }

  @Test
  void boundArray_writtenBetweenRuns_changedIsSeen() {
    Values x = Kind.RANDOM.make(ElementType.INT, 2500, random("written"));
    var array = (IntArray) x.tornadoArray();
    try (Plan plan =
        funnel.plan("written").input("x", array).add("sum", Reduction.sum(), "x").build()) {
      int before = plan.run().getInt("sum");
      array.set(2499, array.get(2499) + 5);
      plan.changed("x", 0, 2500);
      assertEquals(before + 5, plan.run().getInt("sum"));
      assertEquals(before + 5, plan.run().getInt("sum"), "a run on resident data");
    }
  }

  @Test
  void boundArray_withoutElements() {
    var array = new IntArray(0);
    try (Plan plan =
        funnel
            .plan("nothing")
            .input("x", array)
            .add("sum", Reduction.sum(), "x")
            .add("first", Reduction.of(UserOperators.FIRST_INT), "x")
            .add("least", Reduction.argMin(), "x")
            .build()) {
      Results results = plan.run();
      assertEquals(0, results.getInt("sum"));
      assertEquals(0, results.getInt("first"));
      assertThrows(NoSuchElementException.class, () -> results.get("least"));
    }
  }

  @ParameterizedTest
  @Types
  void memorySegments_offHeap_alignedOrNot(ElementType type) {
    SplittableRandom random = random("segments" + type);
    int n = 3001;
    Values x = Kind.RANDOM.make(type, n, random);
    Number expected = funnel.reduce(x.elements(), Reduction.sum());
    try (Arena arena = Arena.ofShared()) {
      for (int shift : new int[] {0, 1, 3}) {
        MemorySegment memory = arena.allocate((long) n * type.bytes() + shift, 8).asSlice(shift);
        memory.copyFrom(x.elements().segment());
        Elements elements = Elements.of(memory, type);
        String what = "shifted by %s bytes%s".formatted(shift, Seed.replay());
        assertEquals(expected, funnel.reduce(elements, Reduction.sum()), what);
        assertEquals(
            expected,
            funnel.reduce(Elements.of(memory.asReadOnly(), type), Reduction.sum()),
            "read-only, " + what);
        if (type != ElementType.BYTE) {
          assertEquals(
              funnel.reduce(x.elements(), Reduction.argMax()),
              funnel.reduce(elements, Reduction.argMax()),
              what);
        }
      }
    }
  }

  @Test
  void memorySegments_onTheHeap_ofAnotherTypeOrUnaligned() {
    int n = 2500;
    Values x = Kind.RANDOM.make(ElementType.INT, n + 1, random("heap"));
    MemorySegment ints = MemorySegment.ofArray((int[]) x.array());
    byte[] bytes = new byte[4 * n + 6];
    MemorySegment.ofArray(bytes).asSlice(2, 4L * n).copyFrom(ints.asSlice(0, 4L * n));
    int expected = IntStream.range(0, n).map(i -> (int) x.longAt(i)).sum();
    assertEquals(
        expected,
        funnel.reduce(
            Elements.of(MemorySegment.ofArray(bytes).asSlice(2, 4L * n), ElementType.INT),
            Reduction.sum()),
        "ints in a byte[]" + Seed.replay());

    int[] shifted = new int[n + 1];
    MemorySegment unaligned = MemorySegment.ofArray(shifted).asSlice(2, 4L * n);
    unaligned.copyFrom(ints.asSlice(0, 4L * n));
    assertEquals(
        expected,
        funnel.reduce(Elements.of(unaligned, ElementType.INT), Reduction.sum()),
        "ints two bytes behind the beginning of an int[]" + Seed.replay());
  }

  // One-shot calls

  @Test
  void oneShotCalls_everyType() {
    SplittableRandom random = random("one-shot");
    for (int n : new int[] {1, 300, 2047}) {
      Values i = Kind.RANDOM.make(ElementType.INT, n, random);
      int[] ints = (int[]) i.array();
      assertEquals(Arrays.stream(ints).sum(), funnel.sum(ints));
      assertEquals(Arrays.stream(ints).min().orElseThrow(), funnel.min(ints));
      assertEquals(Arrays.stream(ints).max().orElseThrow(), funnel.max(ints));
      assertEquals(Arrays.stream(ints).asLongStream().sum(), funnel.sumAsLong(ints));
      assertEquals(
          Arrays.stream(ints).reduce(-1, (a, b) -> a & b), funnel.reduce(ints, Operator.AND));
      oneShot(i, funnel.mean(ints), funnel.argMin(ints), funnel.argMax(ints));

      Values l = Kind.RANDOM.make(ElementType.LONG, n, random);
      long[] longs = (long[]) l.array();
      assertEquals(Arrays.stream(longs).sum(), funnel.sum(longs));
      assertEquals(Arrays.stream(longs).min().orElseThrow(), funnel.min(longs));
      assertEquals(Arrays.stream(longs).max().orElseThrow(), funnel.max(longs));
      assertEquals(
          Arrays.stream(longs).reduce(1, (a, b) -> a * b), funnel.reduce(longs, Operator.PRODUCT));
      oneShot(l, funnel.mean(longs), funnel.argMin(longs), funnel.argMax(longs));

      Values f = Kind.RANDOM.make(ElementType.FLOAT, n, random);
      Values f2 = Kind.RANDOM.make(ElementType.FLOAT, n, random);
      float[] floats = (float[]) f.array();
      expect("sum", f, f2, funnel.sum(floats));
      expect("min", f, f2, funnel.min(floats));
      expect("max", f, f2, funnel.max(floats));
      expect("product", f, f2, funnel.reduce(floats, Operator.PRODUCT));
      expect("sumAsDouble", f, f2, funnel.sumAsDouble(floats));
      expect("dot", f, f2, funnel.dot(floats, (float[]) f2.array()));
      oneShot(f, funnel.mean(floats), funnel.argMin(floats), funnel.argMax(floats));

      Values d = Kind.RANDOM.make(ElementType.DOUBLE, n, random);
      Values d2 = Kind.RANDOM.make(ElementType.DOUBLE, n, random);
      double[] doubles = (double[]) d.array();
      expect("sum", d, d2, funnel.sum(doubles));
      expect("min", d, d2, funnel.min(doubles));
      expect("max", d, d2, funnel.max(doubles));
      expect("product", d, d2, funnel.reduce(doubles, Operator.PRODUCT));
      expect("dot", d, d2, funnel.dot(doubles, (double[]) d2.array()));
      oneShot(d, funnel.mean(doubles), funnel.argMin(doubles), funnel.argMax(doubles));
    }
  }

  private static void expect(String name, Values x, Values y, Number actual) {
    Case wanted =
        Case.all(x.type()).stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
    Case.Oracle oracle = wanted.outputs().get("");
    assertEquals(oracle.of(x, y), actual, () -> name + " of " + x + Seed.replay());
  }

  private static void oneShot(Values x, double mean, int argMin, int argMax) {
    expect("mean", x, x, mean);
    expect("argMin", x, x, argMin);
    expect("argMax", x, x, argMax);
  }

  @Test
  void oneShotCalls_empty() {
    assertEquals(0, funnel.sum(new int[0]));
    assertEquals(0L, funnel.sum(new long[0]));
    assertEquals(0f, funnel.sum(new float[0]));
    assertEquals(0d, funnel.sum(new double[0]));
    assertEquals(0L, funnel.sumAsLong(new int[0]));
    assertEquals(0d, funnel.sumAsDouble(new float[0]));
    assertEquals(0d, funnel.dot(new float[0], new float[0]));
    assertEquals(1, funnel.reduce(new int[0], Operator.PRODUCT));
    assertEquals(-1L, funnel.reduce(new long[0], Operator.AND));
    assertEquals(UserOperators.pack(1, 0), funnel.reduce(new long[0], UserOperators.AFFINE));
    NoSuchElementException e =
        assertThrows(NoSuchElementException.class, () -> funnel.min(new int[0]));
    assertTrue(e.getMessage().contains("min") && e.getMessage().contains("empty"), e.getMessage());
    assertThrows(NoSuchElementException.class, () -> funnel.max(new long[0]));
    assertThrows(NoSuchElementException.class, () -> funnel.mean(new float[0]));
    assertThrows(NoSuchElementException.class, () -> funnel.argMin(new double[0]));
    assertThrows(NoSuchElementException.class, () -> funnel.argMax(new int[0]));
    assertThrows(
        NoSuchElementException.class,
        () -> funnel.reduce(Elements.of(new int[0]), Reduction.variance()));
  }

  @Test
  void oneShotCalls_elements() {
    Elements middle = Elements.of(new int[] {9, Integer.MAX_VALUE, 1, -8, 9}, 1, 4);
    assertEquals((1L << 31) - 8, funnel.sumAsLong(middle));
    assertEquals((1L << 31) - 8.0, funnel.sumAsDouble(middle));
    assertEquals(((1L << 31) - 8.0) / 3, funnel.mean(middle));
    assertEquals(2, funnel.argMin(middle));
    assertEquals(0, funnel.argMax(middle));
    Elements bytes = Elements.of(new byte[] {(byte) 200, 100});
    assertEquals(300L, funnel.sumAsLong(bytes));
    assertEquals(150.0, funnel.mean(bytes));
    Elements doubles = Elements.of(new double[] {0.5, -2});
    assertEquals(-1.5, funnel.sumAsDouble(doubles));
    assertThrows(IllegalArgumentException.class, () -> funnel.sumAsLong(doubles));
    Elements none = Elements.of(new float[0]);
    assertEquals(0.0, funnel.sumAsDouble(none));
    assertEquals(0L, funnel.sumAsLong(Elements.of(new long[0])));
    assertThrows(NoSuchElementException.class, () -> funnel.mean(none));
    assertThrows(NoSuchElementException.class, () -> funnel.argMin(none));
    assertThrows(NoSuchElementException.class, () -> funnel.argMax(none));
  }

  @Test
  void asAPartOfAnother() {
    Operation variance =
        (output, inputs) -> {
          Expansion alone = Reduction.variance().expand(output, inputs);
          return new Expansion(
              List.of(Composite.of(output, alone.primitives(), Set.of())), alone.outputs());
        };
    Elements values = Elements.of(new int[] {2, 4, 6});
    assertEquals(8.0 / 3, funnel.run(variance, values).getDouble("result"));
  }

  @Test
  void workedExamplesOfTheDocumentation() {
    int[] values = {3, 1, 4};
    assertEquals(8, funnel.sum(values));
    assertEquals(12, funnel.reduce(values, Operator.PRODUCT));
    assertEquals(4, funnel.max(values));
    assertEquals(26L, funnel.reduce(Elements.of(values), Reduction.sumOfSquares()));
    assertEquals(
        17L, funnel.reduce(Elements.of(values), Elements.of(new int[] {2, 7, 1}), Reduction.dot()));
    assertEquals(
        2L,
        funnel.reduce(
            Elements.of(values), Reduction.countIf(Transform.testInt("above two", x -> x > 2))));
    assertEquals(8.0 / 3, funnel.reduce(Elements.of(new int[] {2, 4, 6}), Reduction.variance()));
    assertEquals(1, funnel.argMin(new int[] {3, 1, 1}));
    assertEquals(0, funnel.argMax(new int[] {3, 1, 3}));
    assertEquals(300, funnel.reduce(Elements.of(new byte[] {(byte) 200, 100}), Reduction.sum()));
  }
}
