package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.FusedFunction;
import funnel.Numbers;
import funnel.Seed;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.Routine;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What weighted histograms sum up, on every engine; the oracle is a plain loop. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WeightedHistogramContract {

  private Engine engine = new JvmEngine();
  private final JvmEngine jvm = new JvmEngine();

  abstract Engine open();

  /** Of which samples are the most that fit. */
  int capacity() {
    return 17_004;
  }

  /** Numbers of samples, each a multiple of 12. */
  List<Integer> lengths() {
    return List.of(0, 12, 252, 264, 1020, 1032, 4092, 4104, 17_004);
  }

  int randomCases() {
    return 300;
  }

  @BeforeAll
  void begin() {
    engine = open();
  }

  @AfterAll
  void end() {
    engine.close();
    jvm.close();
  }

  /**
   * A weighted histogram over samples.
   *
   * @param histogram it
   * @param rule its rule
   * @param element the samples' type
   * @param type the weights' type
   * @param from samples are from here
   * @param to to here, and a few are NaN if they can be
   */
  record Case(
      Histogram histogram,
      Expected.Rule rule,
      ElementType element,
      ElementType type,
      double from,
      double to) {

    private Samples samples(int length, SplittableRandom random) {
      return Samples.of(
          element,
          length,
          i -> {
            double x = random.nextDouble(from, to);
            return random.nextInt(50) == 0 ? Double.NaN : (Number) x;
          });
    }

    @Override
    public String toString() {
      return "%s of %s by %s%s"
          .formatted(histogram, type, element, histogram.isAccumulating() ? ", accumulating" : "");
    }
  }

  static List<Case> cases() {
    double[] edges = {-1, -0.5, 0.0, 0.0, 0.25, 0.3, 2};
    return List.of(
        new Case(
            Histogram.even(64, 0, 100).weighted(),
            Expected.even(64, 0, 100),
            ElementType.INT,
            ElementType.INT,
            -10,
            120),
        new Case(
            Histogram.even(6, 0, 12).closed().weighted(),
            Expected.closed(Expected.even(6, 0, 12), 6, 12),
            ElementType.INT,
            ElementType.LONG,
            -2,
            15),
        new Case(
            Histogram.ofKeys(300).channels(2).weighted().accumulating(),
            Expected.keys(300),
            ElementType.LONG,
            ElementType.LONG,
            0,
            300),
        new Case(
            Histogram.ranges(edges).channels(3).weighted(),
            Expected.ranges(edges),
            ElementType.DOUBLE,
            ElementType.FLOAT,
            -1.5,
            2.5),
        new Case(
            Histogram.even(4096, 0.0, 1.0).weighted().accumulating(),
            Expected.even(4096, 0.0, 1.0),
            ElementType.FLOAT,
            ElementType.DOUBLE,
            -0.1,
            1.01),
        new Case(
            Histogram.ofBytes().weighted(),
            Expected.keys(256),
            ElementType.BYTE,
            ElementType.DOUBLE,
            0,
            200));
  }

  private static Number plus(ElementType type, Number a, Number b) {
    return switch (type) {
      case BYTE -> throw new IllegalArgumentException();
      case INT -> a.intValue() + b.intValue();
      case LONG -> a.longValue() + b.longValue();
      case FLOAT -> a.floatValue() + b.floatValue();
      case DOUBLE -> a.doubleValue() + b.doubleValue();
    };
  }

  private static Number[] zeros(Case of) {
    return Numbers.of(of.histogram().counters(), i -> Numbers.of(of.type(), 0));
  }

  private static Number[] loop(
      Case of, Samples samples, Number[] weights, int length, Number[] before) {
    Number[] sums = before.clone();
    int channels = of.histogram().channels();
    for (int i = 0; i < length; i++) {
      int bin = of.rule().bin(samples, i);
      if (bin >= 0) {
        int counter = i % channels * of.histogram().bins() + bin;
        sums[counter] = plus(of.type(), sums[counter], weights[i]);
      }
    }
    return sums;
  }

  private WeightedTrial trial(Engine on, Case of, int capacity, boolean inPlace) {
    return new WeightedTrial(on, of.histogram(), of.element(), of.type(), capacity, inPlace);
  }

  /** Runs the first samples on the engine and on the JVM. */
  private static void check(
      Case of,
      WeightedTrial here,
      WeightedTrial there,
      Samples samples,
      Number[] weights,
      int length,
      Number[] before,
      boolean isExact) {
    String message = "%s, n=%s%s".formatted(of, length, Seed.replay());
    here.set(samples, weights, length, before);
    here.run();
    Number[] seen = here.sums(message);
    Number[] expected = loop(of, samples, weights, length, before);
    if (!of.type().isFloating() || isExact) {
      Numbers.requireSame(expected, seen, message);
    } else {
      near(of, samples, weights, length, before, expected, seen, message);
      there.set(samples, weights, length, before);
      there.run();
      Numbers.requireSame(there.sums(message), seen, message + ", bits of the JVM");
    }
    if (!of.histogram().isByKeys()) {
      int bins = of.histogram().bins();
      int channels = of.histogram().channels();
      Expected counts =
          Expected.of(of.rule(), bins, channels, samples, 0, length, new long[bins * channels]);
      assertEquals(counts.below, here.result("y_below"), message);
      assertEquals(counts.above, here.result("y_above"), message);
      assertEquals(counts.nan, here.result("y_nan"), message);
    }
  }

  private static void near(
      Case of,
      Samples samples,
      Number[] weights,
      int length,
      Number[] before,
      Number[] expected,
      Number[] seen,
      String message) {
    Case magnitudes =
        new Case(of.histogram(), of.rule(), of.element(), ElementType.DOUBLE, of.from(), of.to());
    Number[] most =
        loop(
            magnitudes,
            samples,
            Numbers.of(length, i -> Math.abs(weights[i].doubleValue())),
            length,
            Numbers.of(before.length, i -> Math.abs(before[i].doubleValue())));
    double epsilon = of.type() == ElementType.FLOAT ? 0x1p-23 : 0x1p-52;
    for (int k = 0; k < seen.length; k++) {
      double error = epsilon * (10 + length / 30.0) * most[k].doubleValue();
      double sum = expected[k].doubleValue();
      assertEquals(sum, seen[k].doubleValue(), error, message + " at " + k);
    }
  }

  // Tests

  @ParameterizedTest
  @MethodSource("cases")
  void rulesTypesAndLengths(Case of) {
    SplittableRandom random = Seed.random("rules" + of);
    int most = lengths().getLast();
    Samples samples = of.samples(most, random);
    boolean isByKeys = of.histogram().isByKeys();
    for (int i = 0; isByKeys && i < most; i++) {
      samples.set(i, random.nextInt((int) of.to()));
    }
    Number[] weights = Numbers.of(most, i -> Numbers.random(of.type(), random));
    Number[] before =
        of.histogram().isAccumulating()
            ? Numbers.of(of.histogram().counters(), i -> Numbers.random(of.type(), random))
            : zeros(of);
    try (WeightedTrial here = trial(engine, of, capacity(), false);
        WeightedTrial there = trial(jvm, of, capacity(), false)) {
      for (int length : lengths()) {
        check(of, here, there, samples, weights, length, before, false);
      }
      if (of.histogram().isAccumulating()) {
        check(of, here, there, samples, weights, 252, zeros(of), false);
      }
    }
  }

  /** Sums by the bins of a function's values are those by the bins of an array of them. */
  @ParameterizedTest
  @EnumSource(names = {"BYTE", "INT", "DOUBLE"})
  void mapped(ElementType type) {
    SplittableRandom random = Seed.random("mapped" + type);
    FusedFunction function = FusedFunction.over(type).getLast();
    Histogram histogram =
        (type.isFloating() ? Histogram.even(50, -0.7, 0.6) : Histogram.even(50, -200, 900))
            .weighted();
    int most = Math.min(lengths().getLast(), 1032);
    Input x = new Input("x", type, most);
    Input weights = new Input("w", ElementType.FLOAT, most);
    ElementType valueType = type == ElementType.BYTE ? ElementType.INT : type;
    List<Primitive> primitives = new ArrayList<>();
    primitives.addAll(function.values().expand("values", List.of(x)).primitives());
    primitives.addAll(
        histogram
            .expand("expected", List.of(new Input("values", valueType, most), weights))
            .primitives());
    primitives.addAll(
        histogram.mapped(function.transform()).expand("y", List.of(x, weights)).primitives());
    try (LoadedProgram loaded =
        engine.load(Program.of(List.of(x, weights), primitives), Map.of())) {
      for (int length : new int[] {most, 0, random.nextInt(most)}) {
        Samples samples =
            Samples.of(
                type,
                length,
                i -> type.isFloating() ? random.nextDouble() : (Number) random.nextInt(400));
        Samples each = Samples.of(ElementType.FLOAT, length, i -> random.nextDouble());
        loaded.set("x", samples.segment());
        loaded.set("w", each.segment());
        loaded.run();
        float[] expected = new float[50];
        float[] actual = new float[50];
        loaded.fetch("expected", MemorySegment.ofArray(expected));
        loaded.fetch("y", MemorySegment.ofArray(actual));
        String what = "%s of %s, length=%s%s".formatted(histogram, function, length, Seed.replay());
        assertArrayEquals(expected, actual, what);
        assertEquals(loaded.result("expected_above"), loaded.result("y_above"), what);
      }
    }
  }

  /** All weights in one bin, in none, and those that no sum forgets. */
  @Test
  void specialWeights() {
    Case of =
        new Case(
            Histogram.even(40, 0, 10).weighted(),
            Expected.even(40, 0.0, 10.0),
            ElementType.FLOAT,
            ElementType.FLOAT,
            0,
            10);
    SplittableRandom random = Seed.random("special");
    int n = Math.min(capacity(), 9000);
    Samples one = Samples.of(ElementType.FLOAT, n, i -> 5);
    Samples none = Samples.of(ElementType.FLOAT, n, i -> i % 2 == 0 ? Double.NaN : -i);
    Samples some = Samples.of(ElementType.FLOAT, n, i -> random.nextDouble(0, 9.7));
    Number[] small = Numbers.of(n, i -> (float) (i % 7 - 3));
    Number[] negativeZeros = Numbers.of(n, i -> -0.0f);
    Number[] special =
        Numbers.of(
            n,
            i ->
                switch (i % 900) {
                  case 50 -> Float.NaN;
                  case 350 -> Float.POSITIVE_INFINITY;
                  case 650 -> Float.NEGATIVE_INFINITY;
                  default -> i % 3 == 0 ? -0.0f : (float) (i % 5 - 2);
                });
    try (WeightedTrial here = trial(engine, of, n, false);
        WeightedTrial there = trial(jvm, of, n, false)) {
      for (Samples samples : List.of(one, none, some)) {
        for (Number[] weights : List.of(small, special, negativeZeros)) {
          check(of, here, there, samples, weights, n, zeros(of), true);
        }
      }
      here.set(none, special, n, zeros(of));
      here.run();
      for (Number sum : here.sums("none")) {
        assertEquals(0, Float.floatToRawIntBits(sum.floatValue()), "an empty bin has +0.0");
      }
    }
  }

  /** Weights of one type, sums of a wider one, which ints' sums may need. */
  @ParameterizedTest
  @CsvSource({"INT, LONG", "INT, DOUBLE", "LONG, DOUBLE", "FLOAT, DOUBLE"})
  void widened(ElementType narrow, ElementType wide) {
    SplittableRandom random = Seed.random("wide" + narrow + wide);
    int n = Math.min(capacity(), 6000);
    int[] x = random.ints(n, 0, 300).toArray();
    Number[] weights =
        Numbers.of(
            n,
            i ->
                Numbers.of(
                    narrow,
                    narrow == ElementType.FLOAT
                        ? random.nextInt(-1000, 1000)
                        : 2e9 + random.nextInt(100_000_000)));
    for (boolean accumulating : new boolean[] {false, true}) {
      Histogram histogram = Histogram.ofKeys(300).weighted().to(wide);
      Number[] sums = Numbers.of(300, i -> Numbers.of(wide, accumulating ? i : 0));
      List<Input> inputs =
          new ArrayList<>(List.of(new Input("x", ElementType.INT, n), new Input("w", narrow, n)));
      if (accumulating) {
        histogram = histogram.accumulating();
        inputs.add(new Input("old", wide, 300));
      }
      Program program = Program.of(inputs, histogram.expand("y", inputs).primitives());
      for (Engine on : List.of(engine, jvm)) {
        try (LoadedProgram loaded = on.load(program, Map.of())) {
          loaded.set("x", MemorySegment.ofArray(x));
          loaded.set("w", Numbers.segment(narrow, weights));
          if (accumulating) {
            loaded.set("old", Numbers.segment(wide, sums));
          }
          loaded.run();
          MemorySegment y = Numbers.segment(wide, sums);
          loaded.fetch("y", y);
          Number[] expected = sums.clone();
          for (int i = 0; i < n; i++) {
            expected[x[i]] = plus(wide, expected[x[i]], Numbers.of(wide, weights[i].doubleValue()));
          }
          String message = "%s of %s to %s%s".formatted(histogram, narrow, wide, Seed.replay());
          Numbers.requireSame(expected, Numbers.of(wide, y), message);
        }
      }
    }
  }

  /** Sums so far of -0.0 stay so until something else is added. */
  @Test
  void negativeZeros() {
    SplittableRandom random = Seed.random("negative");
    Case of =
        new Case(
            Histogram.ofKeys(300).weighted().accumulating(),
            Expected.keys(300),
            ElementType.INT,
            ElementType.DOUBLE,
            0,
            300);
    int n = Math.min(capacity(), 3000);
    Samples samples = Samples.of(ElementType.INT, n, i -> random.nextInt(300));
    Number[] weights = Numbers.of(n, i -> random.nextInt(20) == 0 ? 0.0 : -0.0);
    Number[] before = Numbers.of(300, i -> i % 5 == 0 ? 0.0 : -0.0);
    try (WeightedTrial here = trial(engine, of, n, false);
        WeightedTrial there = trial(jvm, of, n, false)) {
      check(of, here, there, samples, weights, n, before, true);
    }
  }

  @Test
  void badKey_isNamed_andTheOutputIsAsItWas() {
    Histogram keys = Histogram.ofKeys(100).weighted();
    refusals(keys, ElementType.INT, ElementType.INT, false);
    refusals(keys.channels(2).accumulating(), ElementType.BYTE, ElementType.FLOAT, true);
    refusals(keys.accumulating(), ElementType.LONG, ElementType.DOUBLE, false);
  }

  private void refusals(
      Histogram histogram, ElementType element, ElementType type, boolean inPlace) {
    Case of = new Case(histogram, Expected.keys(histogram.bins()), element, type, 0, 100);
    SplittableRandom random = Seed.random("refusals" + of);
    int n = 5000;
    Samples good = Samples.of(element, n, i -> random.nextInt(100));
    Number[] weights = Numbers.of(n, i -> Numbers.random(type, random));
    Number[] before =
        histogram.isAccumulating()
            ? Numbers.of(histogram.counters(), i -> Numbers.random(type, random))
            : zeros(of);
    long[] bads = {100, element == ElementType.BYTE ? 255 : -1, 101};
    try (WeightedTrial here = trial(engine, of, n, inPlace);
        WeightedTrial there = trial(jvm, of, n, inPlace)) {
      int[] places = {0, n - 1, random.nextInt(n)};
      for (int i = 0; i < places.length; i++) {
        String message = "%s, place=%s%s".formatted(of, places[i], Seed.replay());
        Samples bad = Samples.of(element, n, good::integer);
        bad.set(n - 1, 120);
        bad.set(places[i], bads[i]);
        here.set(bad, weights, n, before);
        KeyOutsideException e = assertThrows(KeyOutsideException.class, here::run, message);
        assertEquals(places[i], e.position(), message);
        assertEquals(bads[i], e.key(), message);
        Numbers.requireSame(here.unwritten(before), here.sums(message), "unchanged: " + message);
        check(of, here, there, good, weights, n, before, false);
      }
    }
  }

  @Test
  void accumulating_inPlace() {
    Case of =
        new Case(
            Histogram.ranges(0, 10, 20, 50).weighted().channels(3).accumulating(),
            Expected.ranges(new long[] {0, 10, 20, 50}),
            ElementType.INT,
            ElementType.INT,
            -3,
            60);
    SplittableRandom random = Seed.random("inPlace");
    int n = 3000;
    Samples samples = of.samples(n, random);
    Number[] weights = Numbers.of(n, i -> random.nextInt());
    Number[] before = Numbers.of(9, i -> random.nextInt());
    try (WeightedTrial here = trial(engine, of, n, true);
        WeightedTrial there = trial(jvm, of, n, true)) {
      for (int length : new int[] {0, 3, 2997}) {
        check(of, here, there, samples, weights, length, before, false);
      }
    }
  }

  @Test
  void randomCases_equalTheLoop() {
    SplittableRandom random = Seed.random("cases");
    ElementType[] types = {
      ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE
    };
    for (int i = 0; i < randomCases(); i++) {
      int bins = 1 + random.nextInt(1 << random.nextInt(1, 14));
      int channels = 1 + random.nextInt(4);
      boolean isByKeys = random.nextInt(3) == 0;
      ElementType element = isByKeys ? ElementType.INT : ElementType.values()[random.nextInt(1, 5)];
      double spread = random.nextInt(3) == 0 ? 0.05 : 1.2;
      Histogram histogram =
          (isByKeys ? Histogram.ofKeys(bins) : Histogram.even(bins, 0, 3L * bins))
              .channels(channels)
              .weighted();
      boolean accumulating = random.nextBoolean();
      Expected.Rule rule =
          isByKeys
              ? Expected.keys(bins)
              : element.isFloating()
                  ? Expected.even(bins, 0.0, 3.0 * bins)
                  : Expected.even(bins, 0, 3L * bins);
      Case of =
          new Case(
              accumulating ? histogram.accumulating() : histogram,
              rule,
              element,
              types[random.nextInt(4)],
              isByKeys ? 0 : -1,
              isByKeys ? bins : 3 * bins * spread);
      int n = random.nextInt(1 << random.nextInt(1, 14)) / channels * channels;
      Samples samples = of.samples(n, random);
      Number[] weights = Numbers.of(n, k -> Numbers.random(of.type(), random));
      Number[] before =
          accumulating
              ? Numbers.of(histogram.counters(), k -> Numbers.random(of.type(), random))
              : zeros(of);
      boolean inPlace = accumulating && random.nextBoolean();
      try (WeightedTrial here = trial(engine, of, n + 5, inPlace);
          WeightedTrial there = trial(jvm, of, n + 5, inPlace)) {
        check(of, here, there, samples, weights, n, before, false);
      }
    }
  }

  /** Engines try kernels on the first elements of the inputs; bins stay as they are. */
  @Test
  void inputsThatWereCutOff() {
    Histogram histogram = Histogram.ofKeys(80).weighted();
    List<Input> hundred =
        List.of(new Input("x", ElementType.INT, 100), new Input("w", ElementType.INT, 100));
    List<Input> fifty =
        List.of(new Input("x", ElementType.INT, 50), new Input("w", ElementType.INT, 50));
    Primitive whole = histogram.expand("y", hundred).primitives().getFirst();
    Program cut = new Program(fifty, List.of(new Routine(List.of(whole.in(Setting.within(50))))));
    try (LoadedProgram program = engine.load(cut, Map.of())) {
      int[] x = new int[50];
      int[] w = new int[50];
      int[] expected = new int[80];
      for (int i = 0; i < 50; i++) {
        x[i] = 30 + i;
        w[i] = i * i;
        expected[x[i]] = w[i];
      }
      program.set("x", MemorySegment.ofArray(x));
      program.set("w", MemorySegment.ofArray(w));
      program.run();
      int[] y = new int[80];
      program.fetch("y", MemorySegment.ofArray(y));
      assertEquals(-1, Arrays.mismatch(expected, y), Arrays.toString(y));
    }
  }

  @Test
  void example() {
    Histogram histogram = Histogram.even(3, 0, 12).weighted();
    Case of =
        new Case(histogram, Expected.even(3, 0, 12), ElementType.INT, ElementType.LONG, -1, 12);
    int[] given = {0, 3, 4, 7, 8, 12, -1};
    Samples samples = new Samples(ElementType.INT, given, given.length);
    Number[] weights = Numbers.of(given.length, i -> 1L << i);
    List<Number> sums = new ArrayList<>();
    try (WeightedTrial here = trial(engine, of, 10, false)) {
      here.set(samples, weights, given.length, zeros(of));
      here.run();
      sums.addAll(Arrays.asList(here.sums("example")));
    }
    assertEquals(List.of(3L, 12L, 16L), sums);
  }
}
