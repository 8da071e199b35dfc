package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Array;
import funnel.Doubles;
import funnel.EngineContract;
import funnel.Floats;
import funnel.Ints;
import funnel.Longs;
import funnel.Seed;
import funnel.Value;
import funnel.reduce.Moments;
import funnel.reduce.Reduction;
import funnel.transform.Elementwise;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Weighted means, covariances and correlations beside exact ones, wherever the numbers are. */
abstract class StatisticsContract extends EngineContract {

  private static final MathContext DIGITS = new MathContext(60);
  private static final BigDecimal ROUNDING = new BigDecimal(0x1p-53);

  private static final double ALPHA = 0.3;

  /** The greatest errors found, in roundings of the scale that the documentation names. */
  private final double[] greatest = new double[9];

  @Test
  void weightsThatOverflow() {
    Longs times = funnel.of(1_700_000_000_000L, 1_700_000_000_003L, 1_700_000_000_006L);
    assertEquals(1_700_000_000_004L, times.mean(funnel.of(1_000_000L, 2_000_000L, 3_000_000L)));
    Ints x = funnel.of(2_000_000_000, 2_000_000_000, 2_000_000_000);
    assertEquals(2e9, x.mean(x));
    Doubles y = funnel.of(1e200, 3e200);
    assertEquals(2.5e200, y.mean(y), 1e185);
    Doubles z = funnel.of(1e-200, 3e-200);
    assertEquals(2.5e-200, z.mean(z), 1e-215);
    Longs least = funnel.of(Long.MIN_VALUE, Long.MIN_VALUE);
    assertEquals(-0x1p63, least.mean(least));
    assertEquals(Double.NaN, y.mean(funnel.of(0.0, 0.0)));
    assertEquals(7.0, funnel.of(7.0).mean(funnel.of(3.0)));
  }

  @Test
  void numbersFarFromZero() {
    long far = 1L << 60;
    Longs x = funnel.of(far, far + 1, far + 2, far + 3);
    assertEquals(1.25, x.covariance(x));
    assertEquals(1.0, x.correlation(x), 1e-15);
    Longs reversed = funnel.of(far + 3, far + 2, far + 1, far);
    assertEquals(-1.25, x.covariance(reversed));
    assertEquals(-1.0, x.correlation(reversed), 1e-15);
    Longs ends = funnel.of(Long.MIN_VALUE, Long.MAX_VALUE);
    assertEquals(0x1p126, ends.covariance(ends));
    assertEquals(1.0, ends.correlation(ends));
    for (double unit : new double[] {1e200, 1e-200, Double.MIN_VALUE, 0x1p1020}) {
      Doubles y = funnel.of(unit, 2 * unit, 3 * unit, 5 * unit);
      Doubles z = funnel.of(1.0, 2.0, 3.0, 5.0);
      assertEquals(1.0, y.correlation(y), 1e-15);
      assertEquals(1.0, y.correlation(z), 1e-15);
      assertEquals(2.1875 * unit, y.covariance(z), unit);
      assertEquals(2.1875 * unit * unit, y.covariance(y));
    }
    assertEquals(
        2.1875,
        funnel.of(1e200, 2e200, 3e200, 5e200).covariance(funnel.of(1e-200, 2e-200, 3e-200, 5e-200)),
        1e-14);
  }

  @Test
  void constants() {
    Doubles x = funnel.of(0.1, 0.1, 0.1);
    Doubles y = funnel.of(0.1, 0.7, 0.3);
    Longs z = funnel.of(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
    assertEquals(0.0, x.covariance(y));
    assertEquals(0.0, z.covariance(z));
    assertEquals(0.0, x.variance());
    assertEquals(Double.NaN, x.correlation(y));
    assertEquals(Double.NaN, y.correlation(x));
    assertEquals(Double.NaN, x.correlation(x));
    assertEquals(Double.NaN, z.correlation(z));
    assertEquals(Double.NaN, funnel.of(1e300).correlation(funnel.of(2.0)));
    assertEquals(0.0, funnel.of(1e300).covariance(funnel.of(2.0)));
    double nan = Double.NaN;
    assertEquals(nan, y.correlation(funnel.of(1.0, nan, 2.0)));
    assertEquals(nan, y.covariance(funnel.of(1.0, Double.POSITIVE_INFINITY, 2.0)));
  }

  @Test
  void beyondFloats() {
    int count = most();
    Floats zeros = funnel.of(new float[count]);
    assertEquals(count / 2.0, zeros.mapIndexed((i, v) -> (i & 1) == 1 ? 1 : v).sumAsDouble());
    Elementwise index = Elementwise.ofFloat("index", i -> i);
    assertEquals(1, funnel.run(index.indexed(2)).floats("result")[1]);
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> funnel.run(index.indexed((1 << 24) + 2)));
    assertTrue(String.valueOf(e.getMessage()).contains("not exact beyond 2^24"), e.getMessage());
    Doubles wide = funnel.of(0.0, 0.0, 0.0);
    assertEquals(1.0, wide.mapIndexed((i, v) -> v + i / 2).sum()); // of ints
    assertEquals(3L, funnel.of(0L, 0L, 0L).mapIndexed((i, v) -> v + i).sum());
  }

  /** Rows of numbers that lose digits if they are added or multiplied as they are. */
  private static double[] doubles(SplittableRandom random, int n) {
    double unit = new double[] {1, 1e18, 1e200, 1e-200, 1e-310, 1e30}[random.nextInt(6)];
    double far = random.nextInt(3) == 0 ? 0 : unit * (1 << random.nextInt(30));
    int kind = random.nextInt(4);
    return DoubleStream.generate(
            () ->
                switch (kind) {
                  case 0 -> far;
                  case 1 -> far + unit * random.nextInt(-3, 3);
                  case 2 -> unit * Math.scalb(random.nextDouble(-1, 1), random.nextInt(-40, 40));
                  default -> far + unit * random.nextDouble(-1, 1);
                })
        .limit(n)
        .toArray();
  }

  private static long[] longs(SplittableRandom random, int n) {
    long spread = 1L << random.nextInt(63);
    long far = random.nextBoolean() ? Long.MAX_VALUE - spread : random.nextLong();
    boolean isConstant = random.nextInt(5) == 0;
    return LongStream.generate(
            () -> isConstant ? far : spread == 1 ? far : far / 2 + random.nextLong(spread) / 2)
        .limit(n)
        .toArray();
  }

  private static BigDecimal[] exact(double... x) {
    return Arrays.stream(x).mapToObj(BigDecimal::new).toArray(BigDecimal[]::new);
  }

  private static BigDecimal[] exact(long... x) {
    return Arrays.stream(x).mapToObj(BigDecimal::valueOf).toArray(BigDecimal[]::new);
  }

  private static BigDecimal sum(int n, IntFunction<BigDecimal> of) {
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 0; i < n; i++) {
      sum = sum.add(of.apply(i));
    }
    return sum;
  }

  /** The sum of products of deviations, times n. */
  private static BigDecimal products(BigDecimal[] x, BigDecimal[] y) {
    int n = x.length;
    return sum(n, i -> x[i].multiply(y[i]))
        .multiply(BigDecimal.valueOf(n))
        .subtract(sum(n, i -> x[i]).multiply(sum(n, i -> y[i])));
  }

  private void near(int what, BigDecimal exact, double got, BigDecimal scale, double most) {
    double rounded = exact.doubleValue();
    if (Double.isInfinite(rounded) || Double.isInfinite(scale.doubleValue())) {
      return; // the result, or a bound, has no double
    }
    assertTrue(Double.isFinite(got), () -> "%s, not %s%s".formatted(got, rounded, Seed.replay()));
    BigDecimal error = new BigDecimal(got).subtract(exact).abs();
    BigDecimal unit = scale.multiply(ROUNDING).add(new BigDecimal(Double.MIN_VALUE));
    double times = error.divide(unit, DIGITS).doubleValue();
    greatest[what] = Math.max(greatest[what], times);
    assertTrue(
        times <= most,
        () ->
            "%s, not %s: %s of %s roundings%s".formatted(got, rounded, times, most, Seed.replay()));
  }

  private void pairs(BigDecimal[] x, BigDecimal[] y, double covariance, double correlation) {
    int n = x.length;
    BigDecimal squares = BigDecimal.valueOf((long) n * n);
    BigDecimal xx = products(x, x);
    BigDecimal yy = products(y, y);
    BigDecimal xy = products(x, y);
    BigDecimal deviations = xx.multiply(yy, DIGITS).sqrt(DIGITS);
    double root = Math.sqrt(n);
    near(
        0,
        xy.divide(squares, DIGITS),
        covariance,
        deviations.divide(squares, DIGITS),
        n * 0x1p-20 + 8 * root + 60);
    if (deviations.signum() == 0) {
      assertEquals(Double.NaN, correlation, Seed::replay);
    } else {
      near(
          1,
          xy.divide(deviations, DIGITS),
          correlation,
          BigDecimal.ONE,
          n * 0x1p-20 + 12 * root + 90);
    }
  }

  private void weighted(BigDecimal[] x, BigDecimal[] w, double mean) {
    int n = x.length;
    BigDecimal all = sum(n, i -> w[i]);
    BigDecimal scale = sum(n, i -> x[i].multiply(w[i]).abs());
    near(
        2,
        sum(n, i -> x[i].multiply(w[i])).divide(all, DIGITS),
        mean,
        scale.divide(all, DIGITS),
        n * 0x1p-20 + 60);
  }

  private Ints zeros(int n) {
    return funnel.of(new int[n]);
  }

  private static int cut(int n, SplittableRandom random) {
    return n == 1 ? 0 : 1 + random.nextInt(n - 1);
  }

  private static Moments moments(Doubles x) {
    Value first = x.limit(1).value(Reduction.sum());
    return moments(x, first.get());
  }

  private static Moments moments(Longs x) {
    Value first = x.limit(1).value(Reduction.sum());
    return moments(x, first.get());
  }

  private static Moments moments(Array<?, ?> x, Number first) {
    double mean = x.value(Reduction.meanFromFirst()).get().doubleValue();
    double variance = x.value(Reduction.variance()).get().doubleValue();
    return new Moments(x.count(), first, mean, variance * x.count());
  }

  /** A mean and a variance, that of a group, the last mean of three, and the last decayed one. */
  private void single(
      BigDecimal[] x, double mean, double variance, Doubles group, Doubles rolling, Doubles ewm) {
    int n = x.length;
    BigDecimal count = BigDecimal.valueOf(n);
    BigDecimal squares = count.multiply(count);
    BigDecimal exact = products(x, x).divide(squares, DIGITS);
    near(3, exact, variance, exact, n * 0x1p-21 + 2 * Math.sqrt(n) + 30);
    near(4, exact, group.toArray()[0], exact, 2 * n + 8);
    BigDecimal sum = sum(n, i -> x[i].abs()).divide(count, DIGITS);
    near(5, sum(n, i -> x[i]).divide(count, DIGITS), mean, sum, n * 0x1p-21 + 26);
    int rows = Math.min(n, 3);
    BigDecimal few = BigDecimal.valueOf(rows);
    near(
        6,
        sum(rows, i -> x[n - 1 - i]).divide(few, DIGITS),
        rolling.toArray()[n - 1],
        sum(rows, i -> x[n - 1 - i].abs()).divide(few, DIGITS),
        5);
    BigDecimal alpha = new BigDecimal(ALPHA);
    BigDecimal decay = BigDecimal.ONE.subtract(alpha);
    BigDecimal decayed = x[0];
    BigDecimal scale = x[0].abs();
    for (int i = 1; i < n; i++) {
      decayed = decayed.multiply(decay).add(alpha.multiply(x[i])).round(DIGITS);
      scale = scale.multiply(decay).add(alpha.multiply(x[i].abs())).round(DIGITS);
    }
    near(7, decayed, ewm.toArray()[n - 1], scale, 60);
  }

  /** The variance of two parts together. */
  private void parts(
      BigDecimal[] x, int cut, IntFunction<Moments> first, IntFunction<Moments> second) {
    if (cut > 0) {
      int n = x.length;
      BigDecimal exact = products(x, x).divide(BigDecimal.valueOf((long) n * n), DIGITS);
      Moments all = first.apply(cut).and(second.apply(cut));
      near(8, exact, all.variance(), exact, n * 0x1p-21 + 18 * Math.sqrt(n) + 40);
    }
  }

  @Test
  void besideExactOnes() {
    SplittableRandom random = Seed.random("statistics");
    long start = System.nanoTime();
    int most = Math.min(most(), 200);
    int cases = Seed.draws(most < 200 ? 30 : 300);
    for (int i = 0; i < cases && !Seed.isOver(start); i++) {
      int n = 1 + random.nextInt(random.nextInt(20) == 0 ? most : 12);
      if (random.nextBoolean()) {
        double[] x = doubles(random, n);
        double[] y = doubles(random, n);
        double[] w = Arrays.stream(doubles(random, n)).map(v -> Math.abs(v)).toArray();
        w[0] += Double.MIN_NORMAL;
        Doubles of = funnel.of(x);
        pairs(exact(x), exact(y), of.covariance(funnel.of(y)), of.correlation(funnel.of(y)));
        weighted(exact(x), exact(w), of.mean(funnel.of(w)));
        Doubles group = zeros(n).groupBy().variance(of);
        single(exact(x), of.mean(), of.variance(), group, of.rolling(3).mean(), of.ewmMean(ALPHA));
        parts(exact(x), cut(n, random), k -> moments(of.limit(k)), k -> moments(of.skip(k)));
      } else {
        long[] x = longs(random, n);
        long[] y = longs(random, n);
        long[] w = Arrays.stream(longs(random, n)).map(v -> (v >>> 1) + 1).toArray();
        Longs of = funnel.of(x);
        pairs(exact(x), exact(y), of.covariance(funnel.of(y)), of.correlation(funnel.of(y)));
        weighted(exact(x), exact(w), of.mean(funnel.of(w)));
        Doubles group = zeros(n).groupBy().variance(of);
        single(exact(x), of.mean(), of.variance(), group, of.rolling(3).mean(), of.ewmMean(ALPHA));
        parts(exact(x), cut(n, random), k -> moments(of.limit(k)), k -> moments(of.skip(k)));
      }
    }
    System.out.println(
        "greatest errors in roundings, of covariance, correlation, weighted mean, variance, that of"
            + " a group, mean, rolling and decayed mean, variance of parts: "
            + Arrays.toString(greatest)
            + Seed.replay());
  }
}
