package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collection;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** The exact sum, mean and variance of some numbers, and whether another one is near enough. */
public final class Exact {

  private static final MathContext DIGITS = new MathContext(50);

  private final Collection<? extends Number> x;
  private final boolean isFinite;
  private final BigDecimal n;
  private final BigDecimal sum;
  private final BigDecimal ofAbsolute;
  private final BigDecimal ofSquares;

  private Exact(Collection<? extends Number> x) {
    this.x = x;
    this.isFinite = x.stream().allMatch(each -> Double.isFinite(each.doubleValue()));
    this.n = BigDecimal.valueOf(x.size());
    this.sum = sum(v -> v);
    this.ofAbsolute = sum(BigDecimal::abs);
    this.ofSquares = sum(v -> v.multiply(v));
  }

  public static Exact of(Collection<? extends Number> x) {
    return new Exact(x);
  }

  /** Those of some rows. */
  public static Exact of(Values x, IntStream rows) {
    return of(rows.mapToObj(x::at).toList());
  }

  private static BigDecimal exact(Number x) {
    return x instanceof Long || x instanceof Integer
        ? BigDecimal.valueOf(x.longValue())
        : new BigDecimal(x.doubleValue());
  }

  private BigDecimal sum(UnaryOperator<BigDecimal> of) {
    return !isFinite
        ? BigDecimal.ZERO
        : x.parallelStream()
            .map(each -> of.apply(exact(each)))
            .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** In any order it is the same. */
  private double notFinite() {
    return x.stream().mapToDouble(Number::doubleValue).sum();
  }

  private static void require(BigDecimal exact, double got, BigDecimal bound, String what) {
    if (!Double.isFinite(got) || new BigDecimal(got).subtract(exact).abs().compareTo(bound) > 0) {
      throw new AssertionError(
          "%s: %s, but exactly %s, and at most %s from it"
              .formatted(what, got, exact.round(DIGITS), bound.doubleValue()));
    }
  }

  private static BigDecimal doubles(double units) {
    return new BigDecimal(units).multiply(new BigDecimal(0x1p-53));
  }

  /** A sum is as far from the exact one as so many roundings to doubles make it at most. */
  public void requireSum(double got, double units, String what) {
    if (isFinite) {
      require(sum, got, ofAbsolute.multiply(doubles(units)), what);
    } else {
      assertEquals(notFinite(), got, what);
    }
  }

  /** So is a mean. */
  public void requireMean(double got, double units, String what) {
    if (isFinite) {
      BigDecimal bound = ofAbsolute.multiply(doubles(units)).divide(n, DIGITS);
      require(sum.divide(n, DIGITS), got, bound, what);
    } else {
      assertEquals(notFinite(), got, what);
    }
  }

  /** A variance is so near in units of itself. */
  public void requireVariance(int fewer, double got, double units, String what) {
    if (x.size() == fewer || !isFinite) {
      assertEquals(Double.NaN, got, what);
      return;
    }
    BigDecimal squares = ofSquares.multiply(n).subtract(sum.multiply(sum));
    BigDecimal exact = squares.divide(n.multiply(BigDecimal.valueOf(x.size() - fewer)), DIGITS);
    require(exact, got, exact.multiply(doubles(units)), what);
  }
}
