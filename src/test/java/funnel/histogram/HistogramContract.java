package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.engine.Engine;
import funnel.operator.ElementType;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a histogram promises, on any engine; the oracle is a plain loop, over integers in unbounded
 * arithmetic.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class HistogramContract extends AlikeTilesContract {

  private static final ElementType[] INTEGERS = {
    ElementType.BYTE, ElementType.INT, ElementType.LONG
  };

  /** A tile of the most rounds. */
  private static final int TILE = ROUND * HistogramShape.MOST_ROUNDS;

  private @Nullable Engine engine;

  abstract Engine open();

  /** Samples of the larger tests. */
  abstract int capacity();

  /** The most counters of most tests. */
  abstract int mostCounters();

  /** Random cases in all. */
  abstract int randomCases();

  /** Random cases that share a plan, on engines where one takes long to compile. */
  int casesOfAPlan() {
    return 1;
  }

  /** One in so many is tried of what each method tries besides every length, type and key. */
  int oneIn() {
    return 1;
  }

  @BeforeAll
  void openEngine() {
    engine = open();
  }

  @AfterAll
  void closeEngine() {
    engine().close();
  }

  @Override
  final Engine engine() {
    return Objects.requireNonNull(engine);
  }

  private static int most(HistogramMethod method) {
    return switch (method) {
      case THREAD_COUNTERS -> HistogramShape.PASS;
      case PRIVATISED -> HistogramShape.MOST_PRIVATISED;
      case PASSES -> HistogramShape.MOST_PASSED;
      default -> Integer.MAX_VALUE;
    };
  }

  private boolean isPossible(HistogramMethod method, int counters) {
    int passes = method == HistogramMethod.PASSES ? 16 * HistogramShape.PASS : Integer.MAX_VALUE;
    return counters <= Math.min(Math.min(most(method), passes), mostCounters());
  }

  private HistogramTrial trial(
      Histogram histogram, ElementType element, Expected.Rule rule, int capacity) {
    return new HistogramTrial(engine(), histogram, element, rule, capacity, false);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void lengthsAroundEveryBoundary(HistogramMethod method) {
    SplittableRandom random = Seed.random("lengths" + method);
    int most = Math.min(capacity(), 2 * TILE + 5);
    int[] lengths = {
      0,
      1,
      2,
      7,
      8,
      9,
      63,
      64,
      65,
      255,
      256,
      257,
      ROUND - 1,
      ROUND,
      ROUND + 1,
      2 * ROUND - 1,
      2 * ROUND,
      2 * ROUND + 1,
      4095,
      4096,
      4097,
      TILE - 1,
      TILE,
      TILE + 1,
      2 * TILE + 1,
      most
    };
    Samples ints = Samples.of(ElementType.INT, most + 9, i -> random.nextInt(-20, 220));
    Samples bytes = Samples.of(ElementType.BYTE, most + 9, i -> random.nextInt());
    try (HistogramTrial even =
            trial(
                Histogram.even(50, 0, 200).by(method),
                ElementType.INT,
                Expected.even(50, 0, 200),
                most);
        HistogramTrial keys =
            trial(Histogram.ofBytes().by(method), ElementType.BYTE, Expected.keys(256), most)) {
      for (int length : lengths) {
        if (length <= most) {
          int from = random.nextInt(9);
          boolean isEven = random.nextBoolean();
          if (isEven || Seed.draws(random, oneIn())) {
            even.check(ints, from, from + length, Seed.replay());
          }
          if (!isEven || Seed.draws(random, oneIn())) {
            keys.check(bytes, from, from + length, Seed.replay());
          }
        }
      }
    }
  }

  /** All in one bin, in two, nearly all in one, sorted: samples whose counters would wrap first. */
  @ParameterizedTest
  @MethodSource("methods")
  void distributions(HistogramMethod method) {
    SplittableRandom random = Seed.random("distributions" + method);
    int n = capacity();
    int bins = 200;
    List<Samples> all = new ArrayList<>();
    for (ElementType type : INTEGERS) {
      int one = random.nextInt(bins);
      int other = random.nextInt(bins);
      all.add(Samples.of(type, n, i -> one));
      all.add(Samples.of(type, n, i -> i % 2 == 0 ? one : other));
      all.add(Samples.of(type, n, i -> random.nextInt(10) > 0 ? one : random.nextInt(bins)));
      all.add(Samples.of(type, n, i -> (int) ((long) i * bins / n)));
      all.add(Samples.of(type, n, i -> random.nextInt(bins)));
    }
    int turn = random.nextInt(3);
    for (Samples samples : all) {
      if (turn++ % 3 > 0 && !Seed.draws(random, oneIn())) {
        continue; // a third has every kind and every type
      }
      try (HistogramTrial trial =
          trial(Histogram.ofKeys(bins).by(method), samples.type(), Expected.keys(bins), n)) {
        trial.check(samples, 0, n, Seed.replay());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void numbersOfBins(HistogramMethod method) {
    SplittableRandom random = Seed.random("bins" + method);
    int n = Math.min(capacity(), oneIn() > 1 ? 9000 : 20_000);
    for (int bins : new int[] {1, 2, 63, 64, 65, 255, 256, 257, 2048, 65_536}) {
      if (!isPossible(method, bins)) {
        continue;
      }
      Samples longs = Samples.of(ElementType.LONG, n, i -> random.nextInt(bins));
      try (HistogramTrial trial =
          trial(Histogram.ofKeys(bins).by(method), ElementType.LONG, Expected.keys(bins), n)) {
        trial.check(longs, 0, n, Seed.replay());
        longs.set(0, 0);
        longs.set(n - 1, bins - 1);
        trial.check(longs, 0, n, Seed.replay());
      }
      if (oneIn() > 1 && !Seed.draws(random, 2)) {
        continue; // in the emulator half of them also over doubles
      }
      Samples doubles = Samples.of(ElementType.DOUBLE, n, i -> random.nextDouble(-0.1, 1.1));
      try (HistogramTrial trial =
          trial(
              Histogram.even(bins, 0.0, 1.0).by(method),
              ElementType.DOUBLE,
              Expected.even(bins, 0.0, 1.0),
              n)) {
        trial.check(doubles, 0, n, Seed.replay());
      }
      double[] edges = random.doubles(bins + 1).sorted().toArray();
      try (HistogramTrial trial =
          trial(
              Histogram.ranges(edges).by(method), ElementType.DOUBLE, Expected.ranges(edges), n)) {
        trial.check(doubles, 0, n, Seed.replay());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void interleavedChannels(HistogramMethod method) {
    SplittableRandom random = Seed.random("channels" + method);
    int turn = random.nextInt(4);
    for (int channels = 1; channels <= Histogram.MOST_CHANNELS; channels++) {
      for (ElementType type : ElementType.values()) {
        if (turn++ % 4 > 0 && !Seed.draws(random, oneIn())) {
          continue; // a fourth has every type and every number of channels
        }
        int bins = 60;
        int n = Math.min(capacity(), 9000) / 12 * 12;
        Samples samples = Samples.of(type, n, i -> random.nextInt(i % 4, 80 + i % 5));
        Histogram histogram = Histogram.even(bins, 3, 77).channels(channels).by(method);
        Expected.Rule rule =
            type.isFloating() ? Expected.even(bins, 3.0, 77.0) : Expected.even(bins, 3, 77);
        try (HistogramTrial trial = trial(histogram, type, rule, n)) {
          trial.check(samples, 0, n, Seed.replay());
          trial.check(samples, 12, 12 + channels * 5, Seed.replay());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void accumulating_inPlaceAndApart_overflowIsRefused(HistogramMethod method) {
    SplittableRandom random = Seed.random("accumulating" + method);
    int bins = 100;
    int n = 3000;
    Samples samples = Samples.of(ElementType.INT, n, i -> random.nextInt(bins));
    Samples narrow = Samples.of(ElementType.INT, 7, i -> 42);
    for (boolean inPlace : new boolean[] {true, false}) {
      for (ElementType counter : new ElementType[] {ElementType.INT, ElementType.LONG}) {
        Histogram histogram =
            Histogram.ofKeys(bins).channels(2).to(counter).accumulating().by(method);
        long max = counter == ElementType.INT ? Integer.MAX_VALUE : Long.MAX_VALUE;
        try (HistogramTrial trial =
            new HistogramTrial(
                engine(), histogram, ElementType.INT, Expected.keys(bins), n, inPlace)) {
          long[] before = random.ints(2 * bins, 0, 1 << 30).asLongStream().toArray();
          trial.check(samples, 0, n, before, Seed.replay());
          trial.check(samples, 0, 0, before, Seed.replay());
          before[5] = -9;
          trial.check(samples, 10, 100, before, Seed.replay());
          Arrays.fill(before, max - 3);
          trial.check(samples, 0, n, before, "overflow" + Seed.replay());
          Arrays.fill(before, 0);
          before[bins + 42] = max - 3;
          before[42] = max - 4;
          trial.check(narrow, 0, 6, before, "full" + Seed.replay());
          trial.check(narrow, 0, 6, before, "again" + Seed.replay());
          before[bins + 42] = max - 2;
          trial.check(narrow, 0, 6, before, "overflow of the last channel" + Seed.replay());
          trial.check(samples, 0, n, new long[2 * bins], "after a refusal" + Seed.replay());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void longCounters(HistogramMethod method) {
    SplittableRandom random = Seed.random("long" + method);
    int n = 5000;
    Samples samples = Samples.of(ElementType.FLOAT, n, i -> (float) random.nextDouble());
    try (HistogramTrial trial =
        trial(
            Histogram.even(7, 0.25, 0.75).to(ElementType.LONG).by(method),
            ElementType.FLOAT,
            Expected.even(7, 0.25, 0.75),
            n)) {
      trial.check(samples, 0, n, Seed.replay());
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void keysOutside_theFirstIsReported_andTheOutputIsAsItWas(HistogramMethod method) {
    SplittableRandom random = Seed.random("outside" + method);
    int n = Math.min(capacity(), oneIn() > 1 ? 9000 : 17_000);
    int bins = 100;
    for (ElementType type : INTEGERS) {
      Samples good = Samples.of(type, n, i -> random.nextInt(bins));
      long[] wrong = {bins, bins + 1, type == ElementType.BYTE ? 255 : -1};
      if (type == ElementType.LONG) {
        wrong = new long[] {bins, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, -1L << 32};
      }
      Histogram histogram = Histogram.ofKeys(bins).accumulating().by(method);
      try (HistogramTrial apart =
              new HistogramTrial(engine(), histogram, type, Expected.keys(bins), n, false);
          HistogramTrial inPlace =
              new HistogramTrial(engine(), histogram, type, Expected.keys(bins), n, true)) {
        int turn = random.nextInt(3);
        for (long key : wrong) {
          turn++; // the next key is at another position
          for (int position : new int[] {0, n - 1, random.nextInt(n)}) {
            if (turn++ % 3 > 0 && !Seed.draws(random, oneIn())) {
              continue;
            }
            Samples bad = Samples.of(type, n, i -> good.integer(i));
            bad.set(position, key);
            long[] before = random.ints(bins, 0, 1000).asLongStream().toArray();
            apart.check(bad, 0, n, before, Seed.replay());
            for (int more = 0; more < 5; more++) {
              bad.set(random.nextInt(position, n), bins + more);
            }
            inPlace.check(bad, 0, n, before, Seed.replay());
            inPlace.check(good, 0, n, before, Seed.replay());
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void nanInfinityAndZeros(HistogramMethod method) {
    double[] special = {
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      0.0,
      -0.0,
      Double.MIN_VALUE,
      -Double.MIN_VALUE,
      Float.MIN_VALUE,
      -Float.MIN_VALUE,
      1.0,
      Math.nextDown(1.0),
      Math.nextDown(1.0f),
      Double.MAX_VALUE,
      -Double.MAX_VALUE,
      Float.MAX_VALUE,
      0x1p-1000,
      0x1p-130
    };
    double inf = Double.POSITIVE_INFINITY;
    double[] edges = {-inf, -1, -0.0, 0.0, 0x1p-1074, 1, 1, inf};
    for (ElementType type : new ElementType[] {ElementType.FLOAT, ElementType.DOUBLE}) {
      int n = 300;
      Samples samples = Samples.of(type, n, i -> special[i * i % 31 % special.length]);
      try (HistogramTrial even =
              trial(Histogram.even(16, 0.0, 1.0).by(method), type, Expected.even(16, 0.0, 1.0), n);
          HistogramTrial ranges =
              trial(Histogram.ranges(edges).by(method), type, Expected.ranges(edges), n)) {
        even.check(samples, 0, n, "");
        ranges.check(samples, 0, n, "");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void rangesWithEqualAndExtremeEdges(HistogramMethod method) {
    long[] edges = {Long.MIN_VALUE, Long.MIN_VALUE, -5, 0, 0, 0, 3, 255, 1L << 40, Long.MAX_VALUE};
    long[] near = new long[3 * edges.length];
    for (int i = 0; i < near.length; i++) {
      near[i] = edges[i / 3] + i % 3 - 1;
    }
    for (ElementType type : INTEGERS) {
      int n = 500;
      Samples samples = Samples.of(type, n, i -> near[i % near.length]);
      try (HistogramTrial trial =
          trial(Histogram.ranges(edges).by(method), type, Expected.ranges(edges), n)) {
        trial.check(samples, 0, n, "");
      }
    }
  }

  /** The letters example of Kirk and Hwu's book, in ranges of four letters and of one. */
  @Test
  void letters() {
    byte[] text = "programming massively parallel processors".getBytes(StandardCharsets.US_ASCII);
    Samples samples = Samples.of(ElementType.BYTE, text.length, i -> text[i]);
    try (HistogramTrial trial =
        trial(
            Histogram.even(26, 'a', 'z' + 1),
            ElementType.BYTE,
            Expected.even(26, 'a', 'z' + 1),
            text.length)) {
      trial.check(samples, 0, text.length, "");
    }
    Expected expected =
        Expected.of(Expected.even(26, 'a', 'z' + 1), 26, 1, samples, 0, text.length, new long[26]);
    assertEquals(List.of(4L, 1L, 3L, 2L), letters(expected, "aceg"));
  }

  private static List<Long> letters(Expected expected, String letters) {
    return letters.chars().mapToObj(letter -> expected.counts[letter - 'a']).toList();
  }

  /** Each edge, and its neighbours, of random bins over random parts of the span. */
  @Test
  void theIntegerRuleIsExact_atEveryEdge() {
    SplittableRandom random = Seed.random("edges");
    for (int round = 0; round < 40; round++) {
      ElementType type = round % 2 == 0 ? ElementType.INT : ElementType.LONG;
      int bins = 1 + random.nextInt(1 << random.nextInt(1, 12));
      long one = end(random, type);
      long other = end(random, type);
      long low = Math.min(one, other);
      long high = one == other ? low + 1 : Math.max(one, other);
      if (round < 4) {
        bins = new int[] {256, 255, 4095, 1}[round];
        low = type == ElementType.INT ? Integer.MIN_VALUE : Long.MIN_VALUE;
        high = type == ElementType.INT ? 1L << 31 : Long.MAX_VALUE;
      }
      if (low >= high) {
        continue;
      }
      long[] near = nearEdges(bins, low, high);
      Samples samples =
          Samples.of(type, near.length, i -> type == ElementType.INT ? clamp(near[i]) : near[i]);
      HistogramMethod method = methods().get(round % methods().size());
      if (!isPossible(method, bins)) {
        method = bins <= 256 ? HistogramMethod.THREAD_COUNTERS : HistogramMethod.PASSES;
      }
      try (HistogramTrial trial =
          trial(
              Histogram.even(bins, low, high).by(method),
              type,
              Expected.even(bins, low, high),
              near.length)) {
        trial.check(samples, 0, near.length, Seed.replay());
      }
    }
  }

  /** Even bins over floating-point numbers: of any size, far from zero, negative, very narrow. */
  private static double[] ends(int kind, int bins, SplittableRandom random) {
    double one = random.nextDouble(-100, 100);
    return switch (kind) {
      case 0 -> new double[] {one, one + random.nextDouble(0.001, 100)};
      case 1 -> {
        int low = random.nextInt(-30, 30);
        yield new double[] {low / 10.0, (low + 1 + random.nextInt(30)) / 10.0};
      }
      case 2 -> new double[] {one, one + bins * random.nextDouble(1, 9) * Math.ulp(one)};
      case 3 -> {
        int ulps = random.nextInt(1, 6);
        yield new double[] {1 - bins / 2 * 0x1p-53 * ulps, 1 + bins * 0x1p-52 * ulps};
      }
      case 4 -> new double[] {-one * 0x1p-140, one * 0x1p-140};
      case 5 -> new double[] {one * 0x1p-1072, (one + 1 + bins) * 0x1p-1072};
      case 6 -> new double[] {-random.nextDouble(1e307), random.nextDouble(1e308)};
      case 7 -> new double[] {random.nextDouble() * -0x1p127, random.nextDouble() * 0x1p127};
      case 8 -> new double[] {-0.0, Double.MIN_VALUE * bins};
      default -> new double[] {-random.nextDouble(1e9), random.nextDouble() * Float.MIN_VALUE};
    };
  }

  private static Samples around(ElementType type, double[] edges) {
    double inf = Double.POSITIVE_INFINITY;
    double[] special = {Double.NaN, inf, -inf, 0.0, -0.0, Double.MIN_VALUE, -Float.MIN_VALUE};
    int n = 3 * edges.length;
    return Samples.of(
        type,
        n + special.length,
        i -> {
          double x = i < n ? edges[i / 3] : special[i - n];
          if (i >= n || i % 3 == 1) {
            return x;
          }
          if (type == ElementType.DOUBLE) {
            return i % 3 == 0 ? Math.nextDown(x) : Math.nextUp(x);
          }
          return i % 3 == 0 ? Math.nextDown((float) x) : Math.nextUp((float) x);
        });
  }

  /** Each edge, and its neighbours, as edges() has it. */
  @ParameterizedTest
  @MethodSource("methods")
  void floatingPointSamples_areInTheBinWhoseEdgesContainThem(HistogramMethod method) {
    SplittableRandom random = Seed.random("real edges" + method);
    int rounds = Math.min(randomCases() / casesOfAPlan(), 400);
    for (int round = 0; round < rounds; round++) {
      int bins = 1 + random.nextInt(Math.min(most(method), 1 << random.nextInt(1, 9)));
      double[] ends = ends(round % 10, bins, random);
      if (!(ends[0] < ends[1])) {
        ends = new double[] {0.9, 1.1};
      }
      Histogram even;
      try {
        even = Histogram.even(bins, ends[0], ends[1]);
      } catch (IllegalArgumentException e) {
        bins = 10;
        even = Histogram.even(bins, 0.9, 1.1);
      }
      double[] edges = even.edges();
      Expected.Rule rule = Expected.between(edges);
      if (random.nextBoolean()) {
        even = even.closed();
        rule = Expected.closed(rule, bins, edges[bins]);
      }
      ElementType type = round / 10 % 2 == 0 ? ElementType.DOUBLE : ElementType.FLOAT;
      Samples samples = around(type, edges);
      try (HistogramTrial trial = trial(even.by(method), type, rule, samples.length())) {
        trial.check(samples, 0, samples.length(), Arrays.toString(ends) + Seed.replay());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void closed_theUpperEndIsInTheLastBin(HistogramMethod method) {
    long[][] ends = {
      {0, 200},
      {-5, 1},
      {Integer.MIN_VALUE, Integer.MAX_VALUE},
      {-(1L << 33), 77},
      {Long.MIN_VALUE, Long.MAX_VALUE},
      {9, 10}
    };
    for (ElementType type : INTEGERS) {
      for (long[] of : ends) {
        long low = of[0];
        long high = of[1];
        Samples samples =
            Samples.of(type, 600, i -> (i % 2 == 0 ? high : low) + i % 3 - (i % 5 == 0 ? 1 : 0));
        Histogram even = Histogram.even(7, low, high).closed().by(method);
        Expected.Rule rule = Expected.closed(Expected.even(7, low, high), 7, high);
        long[] edges = {low, low + 1, high, high};
        Histogram ranges = Histogram.ranges(edges).closed().channels(2).by(method);
        Expected.Rule inRanges = Expected.closed(Expected.ranges(edges), 3, high);
        try (HistogramTrial inEven = trial(even, type, rule, 600);
            HistogramTrial inRange = trial(ranges, type, inRanges, 600)) {
          inEven.check(samples, 0, 600, "");
          inRange.check(samples, 0, 600, "");
        }
      }
    }
    double inf = Double.POSITIVE_INFINITY;
    for (double[] edges : new double[][] {{-inf, 0, 1, 1}, {-1, 0, inf}, {0, 1}, {-inf, inf}}) {
      int bins = edges.length - 1;
      Histogram ranges = Histogram.ranges(edges).closed().by(method);
      Expected.Rule rule = Expected.closed(Expected.ranges(edges), bins, edges[bins]);
      for (ElementType type : new ElementType[] {ElementType.FLOAT, ElementType.DOUBLE}) {
        Samples samples = around(type, edges);
        try (HistogramTrial trial = trial(ranges, type, rule, samples.length())) {
          trial.check(samples, 0, samples.length(), Arrays.toString(edges));
        }
      }
    }
  }

  /** Bins that are far wider than all values of the type: compilers know what is inside. */
  @ParameterizedTest
  @EnumSource(
      value = ElementType.class,
      names = {"BYTE", "INT", "LONG"})
  void binsOverTheWholeLongSpan(ElementType type) {
    SplittableRandom random = Seed.random("span");
    Samples samples = Samples.any(type, 3000, random);
    for (long high : new long[] {Long.MAX_VALUE, 1L << 62, 1}) {
      for (HistogramMethod method : methods()) {
        Histogram histogram = Histogram.even(170, Long.MIN_VALUE, high).by(method);
        Expected.Rule rule = Expected.even(170, Long.MIN_VALUE, high);
        try (HistogramTrial trial = trial(histogram, type, rule, 3000)) {
          trial.check(samples, 0, 3000, method + " to " + high + Seed.replay());
        }
      }
    }
  }

  private static int clamp(long value) {
    return Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  private static long end(SplittableRandom random, ElementType type) {
    return switch (random.nextInt(5)) {
      case 0 -> type == ElementType.INT ? Integer.MIN_VALUE : Long.MIN_VALUE;
      case 1 -> type == ElementType.INT ? 1L << 31 : Long.MAX_VALUE;
      case 2 -> random.nextInt(-9, 10);
      default ->
          type == ElementType.INT
              ? random.nextInt() >> random.nextInt(32)
              : random.nextLong() >> random.nextInt(64);
    };
  }

  /** Each bin's first integer and its neighbours. */
  private static long[] nearEdges(int bins, long low, long high) {
    long[] near = new long[3 * (bins + 1)];
    for (int q = 0; q <= bins; q++) {
      System.arraycopy(nearEdge(q, bins, low, high), 0, near, 3 * q, 3);
    }
    return near;
  }

  /** The first integer of a bin, in unbounded arithmetic, between its neighbours. */
  static long[] nearEdge(int q, int bins, long low, long high) {
    BigInteger l = BigInteger.valueOf(low);
    BigInteger range = BigInteger.valueOf(high).subtract(l);
    BigInteger[] parts =
        BigInteger.valueOf(q).multiply(range).divideAndRemainder(BigInteger.valueOf(bins));
    long edge = l.add(parts[0]).longValueExact() + (parts[1].signum() > 0 ? 1 : 0);
    return new long[] {
      edge == Long.MIN_VALUE ? edge : edge - 1, edge, edge == Long.MAX_VALUE ? edge : edge + 1
    };
  }

  @Test
  void randomCases_equalTheLoop() {
    SplittableRandom random = Seed.random("cases");
    for (int i = 0; i < randomCases(); i += casesOfAPlan()) {
      randomCase(random, i / casesOfAPlan());
    }
  }

  private void randomCase(SplittableRandom random, int number) {
    ElementType type = ElementType.values()[random.nextInt(5)];
    int channels = random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(4);
    HistogramMethod method = methods().get(number % methods().size());
    int most = Math.min(most(method), Math.min(mostCounters(), 2000)) / channels;
    int bins = 1 + random.nextInt(Math.min(most, 1 << random.nextInt(1, 12)));
    int n = random.nextInt(Math.min(capacity(), 1 << random.nextInt(1, 16))) / channels * channels;
    Histogram histogram;
    Expected.Rule rule;
    Samples samples = Samples.any(type, n + channels, random);
    int kind = random.nextInt(3);
    if (kind == 0 && !type.isFloating()) {
      histogram = Histogram.ofKeys(bins);
      rule = Expected.keys(bins);
      int sure = type == ElementType.BYTE ? Math.min(bins, 256) : bins;
      boolean good = random.nextInt(4) > 0;
      samples =
          Samples.of(
              type,
              n + channels,
              i -> good || random.nextInt(1000) > 0 ? random.nextInt(sure) : random.nextLong());
    } else if (type.isFloating()) {
      double one = random.nextDouble(-100, 100);
      double other = one + random.nextDouble(0.001, 100);
      double[] edges = random.doubles(bins + 1, one, other).sorted().toArray();
      histogram = kind == 1 ? Histogram.even(bins, one, other) : Histogram.ranges(edges);
      rule = kind == 1 ? Expected.even(bins, one, other) : Expected.ranges(edges);
      if (random.nextBoolean()) {
        samples = Samples.of(type, n + channels, i -> random.nextDouble(one - 0.1, other + 0.1));
      }
    } else {
      long one = end(random, type);
      long other = end(random, type);
      long low = Math.min(one, other);
      long high = one == other ? low + 1 : Math.max(one, other);
      if (low >= high) {
        return;
      }
      long[] edges = random.longs(bins + 1).map(v -> v >> random.nextInt(64)).sorted().toArray();
      histogram = kind == 1 ? Histogram.even(bins, low, high) : Histogram.ranges(edges);
      rule = kind == 1 ? Expected.even(bins, low, high) : Expected.ranges(edges);
    }
    histogram = histogram.channels(channels).by(method);
    histogram = random.nextBoolean() ? histogram.to(ElementType.LONG) : histogram;
    boolean accumulating = random.nextInt(3) == 0;
    histogram = accumulating ? histogram.accumulating() : histogram;
    long[] before = new long[histogram.counters()];
    if (accumulating) {
      long top = random.nextInt(4) == 0 ? Integer.MAX_VALUE - 1 : 1000;
      Arrays.setAll(before, i -> random.nextLong(-10, top));
    }
    try (HistogramTrial trial =
        new HistogramTrial(
            engine(), histogram, type, rule, n + channels, accumulating && random.nextBoolean())) {
      int from = random.nextInt(channels + 1);
      trial.check(samples, from, from + n, before, "case " + number + Seed.replay());
      trial.check(
          samples, 0, n / 2 / channels * channels, before, "again " + number + Seed.replay());
      for (int more = 1; more < casesOfAPlan(); more++) {
        int length = random.nextInt(n + 1) / channels * channels;
        int start = random.nextInt(n + channels - length + 1);
        long[] other = before.clone();
        if (accumulating) {
          Arrays.setAll(other, i -> random.nextLong(-10, 1 << 20));
        }
        trial.check(samples, start, start + length, other, more + " of " + number + Seed.replay());
      }
    }
  }
}
