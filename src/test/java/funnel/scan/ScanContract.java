package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.FusedFunction;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorException;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.reduce.UserOperators;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a scan promises, on any engine; the oracle is a plain loop. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ScanContract {

  abstract Funnel open();

  /** The most elements of a plan in most tests. */
  abstract int capacity();

  /** Random runs in all. */
  abstract int randomRuns();

  /** One in so many of the lengths around boundaries is tried with each kind. */
  int oneLengthIn() {
    return 1;
  }

  /** A scan over a type of elements. */
  record Kind(ElementType element, Scan scan, ScanForm form) {
    ElementType accumulator() {
      return scan.resultType(element);
    }

    @Override
    public String toString() {
      return "%s to %s, %s, %s".formatted(element, accumulator(), scan, form.label());
    }
  }

  static List<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>();
    for (ScanForm form : ScanForm.values()) {
      for (boolean inclusive : new boolean[] {true, false}) {
        add(kinds, form, ElementType.INT, scan(inclusive, Operator.SUM));
        add(kinds, form, ElementType.LONG, scan(inclusive, Operator.SUM));
        add(kinds, form, ElementType.FLOAT, scan(inclusive, Operator.SUM));
        add(kinds, form, ElementType.DOUBLE, scan(inclusive, Operator.SUM));
        add(kinds, form, ElementType.INT, scan(inclusive, Operator.SUM).to(ElementType.LONG));
        add(kinds, form, ElementType.BYTE, scan(inclusive, Operator.SUM));
        add(kinds, form, ElementType.BYTE, scan(inclusive, Operator.SUM).to(ElementType.LONG));
        add(kinds, form, ElementType.FLOAT, scan(inclusive, Operator.SUM).to(ElementType.DOUBLE));
        add(kinds, form, ElementType.LONG, scan(inclusive, UserOperators.AFFINE));
      }
      add(kinds, form, ElementType.LONG, scan(true, UserOperators.MATRIX));
      add(kinds, form, ElementType.INT, scan(true, Operator.MAX));
      add(kinds, form, ElementType.LONG, scan(false, Operator.MIN));
      add(kinds, form, ElementType.FLOAT, scan(true, Operator.MIN));
      add(kinds, form, ElementType.DOUBLE, scan(false, Operator.MAX));
      add(kinds, form, ElementType.INT, scan(true, Operator.PRODUCT));
      add(kinds, form, ElementType.INT, scan(true, Operator.XOR));
      add(kinds, form, ElementType.LONG, scan(false, Operator.AND));
      add(kinds, form, ElementType.INT, scan(false, Operator.OR));
      add(kinds, form, ElementType.INT, scan(true, UserOperators.LAST_INT));
      add(kinds, form, ElementType.FLOAT, scan(true, UserOperators.FIRST_FLOAT));
      add(kinds, form, ElementType.DOUBLE, scan(false, UserOperators.FIRST_DOUBLE));
    }
    return kinds;
  }

  private static Scan scan(boolean inclusive, Operator operator) {
    return inclusive ? Scan.inclusive(operator) : Scan.exclusive(operator);
  }

  private static void add(List<Kind> kinds, ScanForm form, ElementType element, Scan scan) {
    kinds.add(new Kind(element, scan.by(form).continuing(), form));
  }

  /** A plan of one scan here, and the same on the JVM. */
  final class Pair implements AutoCloseable {
    private final Kind kind;
    private final Funnel here = open();
    private final Funnel onJvm = Funnel.open(Target.JVM);
    private final Plan plan;
    private final Plan jvmPlan;

    Pair(Kind kind, int capacity) {
      this.kind = kind;
      plan = plan(here, capacity);
      jvmPlan = plan(onJvm, capacity);
    }

    private Plan plan(Funnel funnel, int capacity) {
      return funnel
          .plan("scan")
          .input("x", kind.element(), capacity)
          .input("initial", kind.accumulator(), 1)
          .add("y", kind.scan(), "x", "initial")
          .build();
    }

    /** Scans elements {@code from} to {@code to}, into guarded memory or in place, and compares. */
    void check(Values values, int from, int to, Number initial, boolean inPlace) {
      ElementType type = kind.accumulator();
      Values input = values.copy();
      Values output =
          inPlace && kind.element() == type
              ? input
              : Values.guard(type, to - from + 2 * Values.GUARDS);
      int at = output == input ? from : Values.GUARDS;
      Elements x = input.elements(from, to);
      Elements into = output.elements(at, at + to - from);
      Values start = Values.of(type, initial);
      Results results =
          plan.run(Map.of("x", x, "initial", start.elements(0, 1)), Map.of("y", into));
      String message =
          "%s, from=%s, to=%s, initial=%s, inPlace=%s%s"
              .formatted(kind, from, to, initial, inPlace, Seed.replay());
      compare(values, from, to, initial, output, at, results.get("y_total"), message);
      if (output != input) {
        output.requireGuards(Values.GUARDS, message);
      } else {
        input.requireEqualOutside(values, from, to, message);
      }
      if (type.isFloating()) {
        Values jvm = Values.guard(type, to - from);
        Results there =
            jvmPlan.run(
                Map.of("x", values.elements(from, to), "initial", start.elements(0, 1)),
                Map.of("y", jvm.elements(0, to - from)));
        for (int i = 0; i < to - from; i++) {
          Number mine = output.at(at + i);
          Number theirs = jvm.at(i);
          if (!mine.equals(theirs)) {
            assertEquals(theirs, mine, "bits of element " + i + ": " + message);
          }
        }
        assertEquals(there.get("y_total"), results.get("y_total"), message);
      }
    }

    private void compare(
        Values values,
        int from,
        int to,
        Number initial,
        Values output,
        int at,
        Number total,
        String message) {
      Oracle oracle = Oracle.of(kind.scan().operator(), kind.accumulator(), initial);
      for (int i = from; i < to; i++) {
        if (!kind.scan().isInclusive()) {
          require(oracle, output.at(at + i - from), i, message);
        }
        oracle.add(values.at(i));
        if (kind.scan().isInclusive()) {
          require(oracle, output.at(at + i - from), i, message);
        }
      }
      oracle.require(total, () -> "total: " + message);
    }

    private static void require(Oracle oracle, Number actual, int element, String message) {
      oracle.require(actual, () -> "element " + element + ": " + message);
    }

    @Override
    public void close() {
      here.close();
      onJvm.close();
    }
  }

  private static int[] lengths(Kind kind, int capacity) {
    int items = ScanTree.items(kind.accumulator());
    int lead = ScanTree.lead(kind.element());
    int tile = ScanTree.tile(kind.accumulator());
    int[] all = {
      0,
      1,
      2,
      31,
      32,
      33,
      items - lead,
      items - lead + 1,
      16 * items - lead,
      16 * items - lead + 1,
      255,
      256,
      257,
      tile - lead - 1,
      tile - lead,
      tile - lead + 1,
      tile - 1,
      tile,
      tile + 1,
      2 * tile - lead,
      2 * tile - lead + 1,
      2 * tile + 1,
      capacity
    };
    return Arrays.stream(all).filter(n -> n <= capacity).toArray();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void lengthsAroundEveryBoundary(Kind kind) {
    SplittableRandom random = Seed.random("boundary" + kind);
    int capacity = 3 * ScanTree.tile(kind.accumulator()) + 5;
    Values values = Values.random(kind.element(), capacity + 7, random);
    try (Pair pair = new Pair(kind, capacity)) {
      for (int length : lengths(kind, capacity)) {
        if (Seed.draws(random, oneLengthIn())) {
          int from = random.nextInt(7);
          pair.check(values, from, from + length, initial(kind, random), random.nextBoolean());
        }
      }
    }
  }

  private static Number initial(Kind kind, SplittableRandom random) {
    Operator operator = kind.scan().operator();
    if (random.nextInt(3) == 0 || operator.equals(UserOperators.MERGE)) {
      return operator.identity(kind.accumulator());
    }
    return Values.random(kind.accumulator(), 1, random).at(0);
  }

  @Test
  void randomRuns_equalTheLoop() {
    SplittableRandom random = Seed.random("runs");
    List<Kind> kinds = kinds();
    int runs = randomRuns() / kinds.size() + 1;
    for (Kind kind : kinds) {
      Values values = Values.random(kind.element(), capacity(), random);
      try (Pair pair = new Pair(kind, capacity())) {
        for (int run = 0; run < runs; run++) {
          int from = random.nextInt(capacity());
          int to = from + random.nextInt(capacity() - from + 1);
          if (run % 2 == 0) {
            to = from + (to - from) / 50;
          }
          pair.check(values, from, to, initial(kind, random), random.nextBoolean());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void skewedConstantAndExtremeData(Kind kind) {
    SplittableRandom random = Seed.random("data" + kind);
    int length = ScanTree.tile(kind.accumulator()) + 300;
    try (Pair pair = new Pair(kind, length)) {
      for (Values values : Values.special(kind.element(), length, random)) {
        if (Seed.draws(random, Math.min(3, oneLengthIn()))) { // of as many kinds as there are
          pair.check(values, 0, length, kind.scan().operator().identity(kind.accumulator()), false);
        }
      }
    }
  }

  /** -0.0 as the initial value stays until something else is added. */
  @ParameterizedTest
  @EnumSource(ScanForm.class)
  void negativeZeroAsTheInitialValue(ScanForm form) {
    int tile = ScanTree.tile(ElementType.DOUBLE);
    int capacity = 2 * tile + 9;
    for (boolean inclusive : new boolean[] {true, false}) {
      Scan scan = scan(inclusive, Operator.SUM).by(form);
      try (Funnel funnel = open();
          Plan plan =
              funnel
                  .plan("zeros")
                  .input("d", ElementType.DOUBLE, capacity)
                  .input("f", ElementType.FLOAT, capacity)
                  .input("initial", ElementType.DOUBLE, 1)
                  .add("doubles", scan.from(-0.0), "d")
                  .add("floats", scan.from(-0.0f), "f")
                  .add("wide", scan.to(ElementType.DOUBLE).from(-0.0), "f")
                  .add("continued", scan.continuing(), "d", "initial")
                  .build()) {
        for (int length : new int[] {0, 1, 100, tile, capacity}) {
          for (int zero : new int[] {length, length / 2}) { // where +0.0 comes, if it does
            double[] d = new double[length];
            float[] f = new float[length];
            Arrays.setAll(d, i -> i == zero ? 0.0 : -0.0);
            for (int i = 0; i < length; i++) {
              f[i] = (float) d[i];
            }
            Results results =
                plan.run(
                    Map.of(
                        "d",
                        Elements.of(d),
                        "f",
                        Elements.of(f),
                        "initial",
                        Elements.of(new double[] {-0.0})));
            double[] expected = new double[length];
            Arrays.setAll(expected, i -> i < zero || !inclusive && i == zero ? -0.0 : 0.0);
            double total = zero < length ? 0.0 : -0.0;
            String message = "%s, length=%s, zero=%s".formatted(scan, length, zero);
            float[] narrow = new float[length];
            for (int i = 0; i < length; i++) {
              narrow[i] = (float) expected[i];
            }
            assertArrayEquals(expected, results.doubles("doubles"), message);
            assertArrayEquals(narrow, results.floats("floats"), message);
            assertArrayEquals(expected, results.doubles("wide"), message);
            assertArrayEquals(expected, results.doubles("continued"), message);
            assertEquals(total, results.getDouble("doubles_total"), message);
            assertEquals((float) total, results.getFloat("floats_total"), message);
            assertEquals(total, results.getDouble("wide_total"), message);
            assertEquals(total, results.getDouble("continued_total"), message);
          }
        }
      }
    }
  }

  @Test
  void operatorsSeeNeighboursOnly() {
    for (ScanForm form : ScanForm.values()) {
      int length = 2 * ScanTree.tile(ElementType.LONG) + 77;
      long[] ranges = new long[length];
      for (int i = 0; i < length; i++) {
        ranges[i] = UserOperators.pack(i, i + 1);
      }
      try (Funnel funnel = open();
          Plan plan =
              funnel
                  .plan("ranges")
                  .input("x", ElementType.LONG, length + 3000)
                  .add("y", Scan.inclusive(UserOperators.MERGE).by(form), "x")
                  .build()) {
        for (int n : new int[] {length, 1, length - 77, 5000}) {
          long[] some = Arrays.copyOf(ranges, n);
          long[] y = plan.run(Map.of("x", Elements.of(some))).longs("y");
          for (int i = 0; i < n; i++) {
            assertEquals(UserOperators.pack(0, i + 1), y[i], "n=" + n + ", i=" + i);
          }
        }
      }
    }
  }

  @Test
  void lastInclusiveElement_isTheTotal_andTheReductionForIntegers() {
    int length = 2 * ScanTree.tile(ElementType.INT) + 11;
    SplittableRandom random = Seed.random("total");
    int[] ints = random.ints(length).toArray();
    float[] floats = new float[length];
    for (int i = 0; i < length; i++) {
      floats[i] = random.nextFloat();
    }
    try (Funnel funnel = open();
        Plan plan =
            funnel
                .plan("both")
                .input("i", ElementType.INT, length)
                .input("f", ElementType.FLOAT, length)
                .add("scanned", Scan.inclusive(Operator.SUM), "i")
                .add("sum", Reduction.sum(), "i")
                .add("last", Reduction.of(Operator.MAX), "scanned")
                .add("ofScanned", Scan.exclusive(Operator.MAX), "scanned")
                .add("fScanned", Scan.inclusive(Operator.SUM), "f")
                .add("fSum", Reduction.sum(), "f")
                .build()) {
      Results results = plan.run(Map.of("i", Elements.of(ints), "f", Elements.of(floats)));
      int[] scanned = results.ints("scanned");
      assertEquals(results.getInt("sum"), scanned[length - 1]);
      assertEquals(results.getInt("scanned_total"), scanned[length - 1]);
      int[] best = results.ints("ofScanned");
      int max = Integer.MIN_VALUE;
      for (int i = 0; i < length; i++) {
        assertEquals(max, best[i]);
        max = Math.max(max, scanned[i]);
      }
      assertEquals(max, results.getInt("last"));
      float[] fScanned = results.floats("fScanned");
      assertEquals(results.getFloat("fScanned_total"), fScanned[length - 1]);
      assertEquals(results.getFloat("fSum"), fScanned[length - 1], 1e-6f * length);
    }
  }

  /** What the documentation says of sums of numbers that are not negative. */
  @Test
  void floatSums_mayDecreaseByARounding_betweenThreadsOnly() {
    int length = 2 * ScanTree.tile(ElementType.FLOAT) + 11;
    SplittableRandom random = Seed.random("decrease");
    float[] x = new float[length];
    for (int i = 0; i < length; i++) {
      x[i] = random.nextInt(3) == 0 ? 0 : random.nextFloat() / 1000;
    }
    try (Funnel funnel = open()) {
      float[] y = funnel.inclusiveScan(x, Operator.SUM);
      int decreases = 0;
      for (int i = 1; i < length; i++) {
        if (y[i] < y[i - 1]) {
          decreases++;
          String where = "%s after %s at %s%s".formatted(y[i], y[i - 1], i, Seed.replay());
          assertEquals(
              0, (i + ScanTree.lead(ElementType.FLOAT)) % ScanTree.items(ElementType.FLOAT), where);
          assertTrue(y[i - 1] - y[i] <= 160 * 0x1p-24f * y[length - 1], where);
        }
      }
      assertTrue(decreases > 0, "no sum decreased" + Seed.replay());
    }
  }

  @Test
  void oneShotCalls() {
    int[] ints = {3, 1, 4, 1, 5};
    try (Funnel funnel = open()) {
      assertArrayEquals(new int[] {3, 4, 8, 9, 14}, funnel.inclusiveScan(ints, Operator.SUM));
      assertArrayEquals(new int[] {0, 3, 4, 8, 9}, funnel.exclusiveScan(ints, Operator.SUM));
      assertArrayEquals(
          new int[] {100, 103, 104, 108, 109}, funnel.exclusiveScan(ints, Operator.SUM, 100));
      assertArrayEquals(
          new double[] {3, 3, 4, 4, 5},
          funnel.inclusiveScan(new double[] {3, 1, 4, 1, 5}, Operator.MAX));
      assertArrayEquals(new long[0], funnel.inclusiveScan(new long[0], Operator.SUM));
      int[] copy = ints.clone();
      assertEquals(
          14,
          funnel.scan(
              Elements.of(copy, 0, 5), Scan.inclusive(Operator.SUM), Elements.of(copy, 0, 5)));
      assertArrayEquals(new int[] {3, 4, 8, 9, 14}, copy);
      long[] wide = new long[2];
      assertEquals(
          2L * Integer.MAX_VALUE,
          funnel.scan(
              Elements.of(new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE}),
              Scan.inclusive(Operator.SUM).to(ElementType.LONG),
              Elements.of(wide)));
      assertArrayEquals(new long[] {Integer.MAX_VALUE, 2L * Integer.MAX_VALUE}, wide);
    }
  }

  @Test
  void inPlace_otherPrimitivesStillReadTheInput() {
    int[] x = {1, 2, 3, 4};
    try (Funnel funnel = open();
        Plan plan =
            funnel
                .plan("inPlace")
                .input("x", ElementType.INT, 4)
                .add("y", Scan.inclusive(Operator.SUM), "x")
                .add("sum", Reduction.sum(), "x")
                .build()) {
      Results results = plan.run(Map.of("x", Elements.of(x)), Map.of("y", Elements.of(x)));
      assertEquals(10, results.getInt("sum"));
      assertArrayEquals(new int[] {1, 3, 6, 10}, x);
    }
  }

  /** What a scan makes of a function's values is what it makes of an array of them. */
  @ParameterizedTest
  @Types
  void mapped(ElementType type) {
    SplittableRandom random = Seed.random("mapped" + type);
    ScanForm form = ScanForm.values()[random.nextInt(2)];
    Scan scan = scan(random.nextBoolean(), Operator.SUM).by(form);
    Scan wide =
        type == ElementType.BYTE || type == ElementType.INT ? scan.to(ElementType.LONG) : scan;
    for (FusedFunction function : FusedFunction.over(type)) {
      Transform map = function.transform();
      try (Funnel funnel = open();
          Plan plan =
              funnel
                  .plan("p")
                  .input("x", type, capacity())
                  .add("values", function.values(), "x")
                  .add("expected", wide, "values")
                  .add("most", Scan.inclusive(Operator.MAX).by(form), "values")
                  .add("mapped", wide.mapped(map), "x")
                  .add("mostMapped", Scan.inclusive(Operator.MAX).by(form).mapped(map), "x")
                  .build()) {
        for (int length : new int[] {capacity(), 0, random.nextInt(capacity()), 1}) {
          Values x = Values.random(type, length + 1, random).range(1, length + 1);
          Results results = plan.run(Map.of("x", x.elements()));
          String what = "%s, %s of %s, length %s".formatted(type, scan, map, length);
          assertSame(results, "expected", "mapped", what + Seed.replay());
          assertSame(results, "most", "mostMapped", what + Seed.replay());
        }
      }
    }
  }

  private static void assertSame(Results results, String expected, String actual, String what) {
    assertEquals(results.get(expected + "_total"), results.get(actual + "_total"), what);
    switch (results.get(expected + "_total")) {
      case Integer _ -> assertArrayEquals(results.ints(expected), results.ints(actual), what);
      case Long _ -> assertArrayEquals(results.longs(expected), results.longs(actual), what);
      case Float _ -> assertArrayEquals(results.floats(expected), results.floats(actual), what);
      default -> assertArrayEquals(results.doubles(expected), results.doubles(actual), what);
    }
  }

  @Test
  void mapsThatCannotBeFused_areNamed() {
    Scan sums = Scan.inclusive(Operator.SUM);
    List<Integer> least = List.of(2);
    Scan captures = sums.mapped(Transform.ofInt("captures", v -> Math.max(v, least.getFirst())));
    Elements x = Elements.of(new int[] {3, 1, 4});
    IllegalArgumentException test =
        assertThrows(
            IllegalArgumentException.class,
            () -> sums.mapped(Transform.testInt("test", v -> v > 0)));
    assertTrue(String.valueOf(test.getMessage()).contains("test is not a map"), test::toString);
    try (Funnel funnel = open()) {
      if (funnel.target() == Target.JVM) {
        assertArrayEquals(new int[] {3, 5, 9}, funnel.run(captures, x).ints("result"));
      } else {
        OperatorException captured =
            assertThrows(OperatorException.class, () -> funnel.run(captures, x));
        assertEquals("captures", captured.operator());
      }
      IllegalArgumentException type =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  funnel.run(sums.mapped(Transform.ofInt("f", v -> v)), Elements.of(new float[3])));
      assertTrue(String.valueOf(type.getMessage()).contains("f takes INT"), type::toString);
    }
  }

  @Test
  void memorySegments_offTheHeap() {
    try (java.lang.foreign.Arena arena = java.lang.foreign.Arena.ofShared();
        Funnel funnel = open()) {
      MemorySegment in = arena.allocate(4 * 1000);
      MemorySegment out = arena.allocate(8 * 1000 + 8);
      for (int i = 0; i < 1000; i++) {
        in.setAtIndex(java.lang.foreign.ValueLayout.JAVA_INT, i, i);
      }
      Number total =
          funnel.scan(
              Elements.of(in, ElementType.INT),
              Scan.exclusive(Operator.SUM).to(ElementType.LONG).from(7),
              Elements.of(out.asSlice(8), ElementType.LONG));
      assertEquals(7 + 999L * 1000 / 2, total);
      assertEquals(0, out.getAtIndex(java.lang.foreign.ValueLayout.JAVA_LONG, 0));
      for (int i = 0; i < 1000; i++) {
        assertEquals(
            7 + (long) i * (i - 1) / 2,
            out.getAtIndex(java.lang.foreign.ValueLayout.JAVA_LONG, i + 1));
      }
    }
  }
}
