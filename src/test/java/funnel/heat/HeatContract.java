package funnel.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Doubles;
import funnel.Floats;
import funnel.Funnel;
import funnel.Seed;
import funnel.lessons.HeatVariant;
import funnel.operator.ElementType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the solver promises, on any engine; the oracle is a plain loop. */
abstract class HeatContract extends HeatSolutions {

  private static final List<String> PAIRS = List.of("DD", "DN", "ND", "NN", "PP");

  private static final int[] STEPS = {1, 2, 7, 16, 31};

  /** Grids that are compared with the plain loop, nx and ny. */
  abstract int[][] sizes();

  /** The methods that are, by name. */
  abstract List<String> methods();

  /** The most nodes of grids on which all combinations are tried, not a part of them. */
  abstract int nodesOfAll();

  /** With how many other pairs of sides each pair is combined, of five. */
  int combined(int nodes) {
    return nodes > 200_000 ? 1 : PAIRS.size();
  }

  /** Each size with all pairs of sides; types, sources, cells and methods by turns, or all. */
  List<HeatCase> cases() {
    List<HeatCase> cases = new ArrayList<>();
    SplittableRandom random = Seed.random("turn");
    int turn = random.nextInt(1 << 20);
    int first = random.nextInt(PAIRS.size());
    for (int[] size : sizes()) {
      first++; // other combinations
      for (String x : PAIRS) {
        for (String y : PAIRS) {
          int others = (PAIRS.indexOf(x) + PAIRS.indexOf(y) + first) % PAIRS.size();
          if (others >= combined(size[0] * size[1]) && !Seed.draws(random, 20)) {
            continue; // each pair is met in each direction
          }
          turn++;
          List<HeatCase> all = variants(size[0], size[1], x + y);
          cases.addAll(
              size[0] * size[1] <= nodesOfAll() ? all : List.of(all.get(turn % all.size())));
        }
      }
    }
    return cases;
  }

  private List<HeatCase> variants(int nx, int ny, String kinds) {
    List<HeatCase> variants = new ArrayList<>();
    for (String method : methods()) {
      for (int bits = 0; bits < 8; bits++) {
        boolean isFloat = (bits & 1) == 0;
        boolean hasSource = (bits & 2) > 0;
        boolean hasCells = (bits & 4) > 0;
        HeatGrid grid =
            new HeatGrid(
                isFloat ? ElementType.FLOAT : ElementType.DOUBLE,
                nx,
                ny,
                List.of(0, 0, 0, 0),
                hasSource,
                hasCells,
                0.2,
                1);
        if (method.equals("auto") || HeatVariant.of(method).takes(grid)) {
          variants.add(new HeatCase(isFloat, nx, ny, kinds, hasSource, hasCells, method));
        }
      }
    }
    return variants;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void sameBitsAsThePlainLoop(HeatCase one) {
    HeatOracle oracle = one.oracle();
    double[] expected = one.field();
    try (Heat2D heat = one.builder().build().open(funnel())) {
      requireSameBits(expected, heat.toDoubles(), one, 0);
      int made = 0;
      for (int steps : STEPS) {
        expected = oracle.after(expected, steps - made);
        heat.step(steps - made);
        made = steps;
        requireSameBits(expected, heat.toDoubles(), one, steps);
      }
      assertEquals(31, heat.steps());
      double[] next = oracle.after(expected, 1);
      double change = 0;
      for (int i = 0; i < next.length; i++) {
        change = Math.max(change, Math.abs(rounded(one, next[i] - expected[i])));
      }
      assertEquals(change, heat.maxChange(), () -> "change of " + one);
      requireSameBits(expected, heat.toDoubles(), one, 31);
    }
  }

  private static void setAll(Heat2D heat, HeatCase one, int time) {
    heat.left(one.side(0, time)).right(one.side(1, time));
    heat.bottom(one.side(2, time)).top(one.side(3, time));
    if (one.hasSource()) {
      heat.source(one.source(time));
    }
  }

  List<HeatCase> casesInTime() {
    List<HeatCase> cases = new ArrayList<>();
    for (String kinds : List.of("NNNN", "DNND", "PPDN", "DDDD", "NDNN")) {
      for (int bits = 0; bits < 4; bits++) {
        boolean isSimple = bits == 0 && methods().contains("6");
        cases.add(
            new HeatCase(
                bits % 2 == 0, 41, 23, kinds, bits > 1, bits == 3, isSimple ? "6" : "auto"));
      }
    }
    return cases;
  }

  /** Set between calls, and by an observer. */
  @ParameterizedTest
  @MethodSource("casesInTime")
  void whatIsSetBetweenStepsHoldsFromThereOn(HeatCase one) {
    int every = 5;
    try (Heat2D heat = one.builder().build().open(funnel());
        Heat2D observed = one.builder().build().open(funnel())) {
      observed.observe(every, h -> setAll(h, one, (int) h.steps() / every));
      double[] expected = one.field();
      for (int time = 1; time < 4; time++) {
        expected = one.oracle(time - 1).after(expected, every);
        one.setSides(expected, time);
        setAll(heat.step(every), one, time);
        requireSameBits(expected, heat.toDoubles(), one, time * every);
        requireSameBits(expected, observed.step(every).toDoubles(), one, time * every);
      }
      assertEquals(heat.checkpoint(), observed.checkpoint());
    }
  }

  private static double rounded(HeatCase one, double value) {
    return one.isFloat() ? (float) value : value;
  }

  private static void requireSameBits(double[] expected, double[] actual, HeatCase one, int steps) {
    for (int at = 0; at < expected.length; at++) {
      if (Double.doubleToLongBits(expected[at]) != Double.doubleToLongBits(actual[at])) {
        assertEquals(
            expected[at],
            actual[at],
            "node (%s, %s) after %s steps of %s"
                .formatted(at % one.nx(), at / one.nx(), steps, one));
      }
    }
    assertEquals(expected.length, actual.length);
  }

  /** Batches that are tried. */
  int[] batches() {
    return new int[] {1, 2, 4, 8, 16, 20, 64, 512};
  }

  /** However steps are divided among runs: a whole batch, and those that are left. */
  @ParameterizedTest
  @MethodSource("casesInTime")
  void aKeptFieldIsReadWhereItIs(HeatCase one) {
    HeatProblem.Builder builder = one.builder();
    double[] given = one.given();
    Doubles field = funnel().of(given).keep();
    Floats floats = field.asFloats().keep();
    HeatProblem problem =
        (one.isFloat() ? builder.initial(floats) : builder.initial(field)).build();
    try (Heat2D first = problem.open(funnel())) {
      first.step(3);
      try (Heat2D heat = problem.open(funnel())) {
        field.close();
        floats.close(); // it was read
        requireSameBits(one.field(), heat.toDoubles(), one, 0);
        heat.step(5);
        double[] expected = one.oracle().after(one.field(), 5);
        requireSameBits(expected, heat.toDoubles(), one, 5);
        first.step(2);
        requireSameBits(expected, first.toDoubles(), one, 5);
        HeatCheckpoint before = heat.checkpoint();
        heat.step(1);
        heat.resume(before);
        requireSameBits(expected, heat.toDoubles(), one, 5);
      }
      assertThrows(IllegalStateException.class, () -> problem.open(funnel()));
    }
  }

  @Test
  void keptFieldsThatDoNotFitAreRefused() {
    float[] bad = new float[6];
    for (float value : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
      bad[4] = value;
      try (Floats field = funnel().of(bad).keep()) {
        HeatProblem problem = HeatProblem.builder(3, 2).initial(field).build();
        HeatFieldException e = assertThrows(HeatFieldException.class, () -> problem.open(funnel()));
        assertTrue(e.getMessage().contains("initial field"), e.getMessage());
        assertThrows(
            IllegalArgumentException.class,
            () -> HeatProblem.builder(3, 2).type(ElementType.DOUBLE).initial(field).build());
        assertThrows(
            IllegalArgumentException.class, () -> HeatProblem.builder(3, 3).initial(field));
      }
    }
    Floats lazy = funnel().of(1f, 2f, 3f).sorted();
    String message =
        assertThrows(IllegalStateException.class, () -> HeatProblem.builder(3, 1).initial(lazy))
            .getMessage();
    assertTrue(message.contains("keep() it first"), message);
    try (Funnel other = open();
        Floats theirs = other.of(1f, 2f, 3f).keep()) {
      HeatProblem problem = HeatProblem.builder(3, 1).initial(theirs).build();
      assertThrows(IllegalArgumentException.class, () -> problem.open(funnel()));
    }
  }

  @Test
  void batchesDoNotShow() {
    HeatCase one = new HeatCase(true, 37, 21, "DNPP", false, false, "auto");
    for (int batch : batches()) {
      int steps = batch + (batch > 64 ? 85 : 21);
      double[] expected = one.oracle().after(one.field(), steps);
      try (Heat2D heat = one.builder().batch(batch).build().open(funnel())) {
        requireSameBits(expected, heat.step(steps).toDoubles(), one, steps);
      }
    }
  }

  @Test
  void heatIsKeptWhereNonePasses() {
    for (Side side : List.of(Side.neumann(0), Side.periodic())) {
      for (ElementType type : List.of(ElementType.FLOAT, ElementType.DOUBLE)) {
        for (boolean cells : new boolean[] {false, true}) {
          SplittableRandom random = Seed.random("heat");
          double[] values = random.doubles(41 * 41, 0, 1).toArray();
          HeatProblem.Builder builder =
              square(41, type).spacing(0.5, 0.7).sides(side).initial(values);
          if (cells) {
            builder.diffusivity(random.doubles(41 * 41, 0, 1).toArray());
          }
          try (Heat2D heat = builder.build().open(funnel())) {
            double before = heat.totalHeat();
            assertEquals(Arrays.stream(values).sum() * 0.35, before, before * 1e-7);
            int steps = steps(200);
            double after = heat.step(steps).totalHeat();
            double unit = type == ElementType.FLOAT ? 0x1p-24 : 0x1p-53;
            assertEquals(before, after, before * steps * unit, () -> heat + Seed.replay());
          }
        }
      }
    }
  }

  @Test
  void aSourceAddsItsHeatAndAFluxItsOwn() {
    try (Heat2D heat =
        square(20, ElementType.DOUBLE)
            .dt(0.125)
            .source((x, y) -> x < 5 ? 2 : 0)
            .build()
            .open(funnel())) {
      assertEquals(2 * 100 * 0.125 * 8, heat.step(8).totalHeat(), 1e-10);
    }
    try (Heat2D heat =
        square(20, ElementType.DOUBLE).dt(0.125).left(Side.neumann(3)).build().open(funnel())) {
      assertEquals(3 * 20 * 0.125 * 8, heat.step(8).totalHeat(), 1e-10);
    }
  }

  private static double[] mirrored(double[] u, int n, boolean alongX) {
    double[] m = new double[u.length];
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) {
        m[j * n + i] = alongX ? u[j * n + n - 1 - i] : u[(n - 1 - j) * n + i];
      }
    }
    return m;
  }

  private static double[] transposed(double[] u, int n) {
    double[] t = new double[u.length];
    for (int at = 0; at < u.length; at++) {
      t[at % n * n + at / n] = u[at];
    }
    return t;
  }

  private double[] after(HeatProblem.Builder builder, double[] field, int steps) {
    try (Heat2D heat = builder.initial(field).build().open(funnel())) {
      return heat.step(steps).toDoubles();
    }
  }

  @Test
  void reflectionsAndTranspositionPassThroughToTheBit() {
    int n = 43;
    int steps = steps(23);
    double[] field = Seed.random("symmetry").doubles(n * n, -1, 1).toArray();
    for (ElementType type : List.of(ElementType.FLOAT, ElementType.DOUBLE)) {
      for (Side side : List.of(Side.dirichlet(), Side.neumann(0.25), Side.periodic())) {
        HeatProblem.Builder uneven = square(n, type).spacing(0.3, 0.4).sides(side);
        double[] u = after(uneven, field, steps);
        for (boolean alongX : new boolean[] {false, true}) {
          assertArrayEquals(
              mirrored(u, n, alongX), after(uneven, mirrored(field, n, alongX), steps));
        }
        HeatProblem.Builder even = square(n, type).spacing(0.3, 0.3).sides(side);
        assertArrayEquals(
            transposed(after(even, field, steps), n), after(even, transposed(field, n), steps));
      }
    }
  }

  @Test
  void constantFieldsStayAsTheyAre() {
    for (double value : new double[] {0.1, 1e-3, 273.15}) {
      try (Heat2D heat =
          square(33, ElementType.FLOAT).initial((x, y) -> value).build().open(funnel())) {
        for (float u : heat.step(50).toFloats()) {
          assertEquals((float) value, u);
        }
        assertEquals(0, heat.maxChange());
      }
    }
  }

  @Test
  void floatsAreNearDoubles() {
    HeatCase floats = new HeatCase("both", true, 40, 30, "DNPP", true, true, "auto");
    HeatCase doubles = new HeatCase("both", false, 40, 30, "DNPP", true, true, "auto");
    double rounding = 100 * Math.ulp(4f); // of each step
    try (Heat2D near = floats.builder().build().open(funnel());
        Heat2D exact = doubles.builder().build().open(funnel())) {
      assertArrayEquals(exact.step(100).toDoubles(), near.step(100).toDoubles(), rounding);
    }
  }

  @Test
  void normsAreThoseOfTheField() {
    HeatCase one = new HeatCase(true, 31, 47, "DNNN", false, false, "auto");
    HeatProblem problem = one.builder().build();
    double area = problem.dx() * problem.dy();
    try (Heat2D heat = problem.open(funnel())) {
      for (int steps : new int[] {0, 3}) {
        double[] u = heat.step(steps).toDoubles();
        assertEquals(Arrays.stream(u).sum() * area, heat.totalHeat(), 1e-9);
        double squares = Arrays.stream(u).map(v -> v * v).sum();
        assertEquals(Math.sqrt(squares * area), heat.l2Norm(), 1e-9);
      }
    }
  }

  @Test
  void stepsUntilNothingChangesMuch() {
    HeatCase one = new HeatCase(false, 9, 11, "DDDD", false, false, "auto");
    try (Heat2D heat = one.builder().build().open(funnel())) {
      assertFalse(heat.stepUntil(1e-6, 7, 20));
      assertEquals(20, heat.steps());
      assertTrue(heat.stepUntil(1e-6, 7, 100_000));
      assertTrue(heat.maxChange() <= 1e-6);
      assertEquals(20, heat.steps() % 7 + 14, "looks are 7 steps apart");
      long steps = heat.steps();
      assertTrue(heat.stepUntil(1e-6, 7, 100_000));
      assertEquals(steps, heat.steps());
    }
  }

  @Test
  void observersSeeTheirSteps() {
    List<Long> threes = new ArrayList<>();
    List<Long> fives = new ArrayList<>();
    try (Heat2D heat =
        square(8, ElementType.FLOAT)
            .dt(0.125)
            .build()
            .open(funnel())
            .observe(3, h -> threes.add(h.steps()))
            .observe(5, h -> fives.add(Math.round(h.snapshot().time() / 0.125)))) {
      heat.step(4).step(12);
      assertEquals(List.of(3L, 6L, 9L, 12L, 15L), threes);
      assertEquals(List.of(5L, 10L, 15L), fives);
    }
  }

  @Test
  void goesOnFromACheckpointAsIfItHadNeverStopped(@TempDir Path folder) throws IOException {
    for (boolean isFloat : new boolean[] {true, false}) {
      HeatCase one = new HeatCase(isFloat, 26, 19, "DNPP", true, true, "auto");
      Path file = folder.resolve("run.npz");
      try (Heat2D whole = one.builder().build().open(funnel());
          Heat2D first = one.builder().build().open(funnel());
          Heat2D second = one.builder().build().open(funnel())) {
        whole.step(30);
        first.step(13).checkpoint(file);
        second.step(5).resume(file);
        assertEquals(13, second.steps());
        assertArrayEquals(first.toDoubles(), second.toDoubles());
        assertArrayEquals(whole.toDoubles(), second.step(17).toDoubles());
        assertEquals(whole.time(), second.time());
      }
    }
  }

  /** From its own and from another solver's, each of which may be used again. */
  @Test
  void goesOnFromACheckpointInMemoryAsIfItHadNeverStopped() {
    for (boolean isFloat : new boolean[] {true, false}) {
      HeatCase one = new HeatCase(isFloat, 26, 19, "DNPP", true, true, "auto");
      try (Heat2D whole = one.builder().build().open(funnel());
          Heat2D first = one.builder().build().open(funnel());
          Heat2D second = one.builder().build().open(funnel())) {
        HeatCheckpoint begin = first.checkpoint();
        HeatCheckpoint middle = first.step(13).checkpoint();
        HeatSnapshot end = whole.step(30).snapshot();
        assertEquals(end, first.step(17).snapshot());
        for (Heat2D heat : List.of(first, second)) {
          heat.resume(middle);
          assertEquals(13, heat.steps());
          assertEquals(middle, heat.checkpoint());
          assertEquals(end, heat.step(17).snapshot());
          heat.resume(begin);
          assertEquals(begin, heat.checkpoint());
          assertEquals(end, heat.step(30).snapshot());
        }
      }
    }
  }
}
