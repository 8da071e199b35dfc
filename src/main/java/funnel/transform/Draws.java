package funnel.transform;

import funnel.kernel.Scalars;

/** Numbers of distributions that follow from a state of {@link SplitMix} and an index. */
final class Draws {

  /* Every operation here is rounded alike on all engines: sums, differences, products, quotients
   * and fused multiply-adds of doubles. No addition follows a product, since a device
   * may contract these. Math.log may differ, so there is one of our own, that of fdlibm.
   */

  private static final double LOG_2_HIGH = 6.93147180369123816490e-01;
  private static final double LOG_2_LOW = 1.90821492927058770002e-10;

  private Draws() {}

  private static long state(long start, int i) {
    return start + (i + 1L) * SplitMix.GAMMA;
  }

  /** A multiple of 2^-53 from 0 below 1. */
  static double uniform(long start, int i) {
    return SplitMix.value(state(start, i), 0.0);
  }

  /** An integer from 0 below {@code count}, which is at most 2^32. */
  static int below(long count, long start, int i) {
    long bits = SplitMix.mix64(state(start, i));
    long low = (bits & 0xffffffffL) * count;
    long high = (bits >> 32 & 0xffffffffL) * count;
    long sum = (high & 0xffffffffL) + (low >> 32 & 0xffffffffL);
    return (int) ((high >> 32 & 0xffffffffL) + (sum >> 32));
  }

  static double exponential(long start, int i) {
    return 0 - log(1 - uniform(start, i));
  }

  private static double polynomial(
      double x,
      double c0,
      double c1,
      double c2,
      double c3,
      double c4,
      double c5,
      double c6,
      double c7) {
    double high = Scalars.fma(Scalars.fma(Scalars.fma(c7, x, c6), x, c5), x, c4);
    return Scalars.fma(Scalars.fma(Scalars.fma(Scalars.fma(high, x, c3), x, c2), x, c1), x, c0);
  }

  /** The natural logarithm of a number from 2^-63 to 1, with an error of less than one ulp. */
  private static double log(double x) {
    double m = x;
    int k = 0;
    for (int shift = 32; shift > 0; shift >>= 1) {
      double scaled = m * (1L << shift);
      k = scaled < 1 ? k - shift : k;
      m = scaled < 1 ? scaled : m;
    }
    k = m < 0x1.6a09e667f3bcdp-1 ? k - 1 : k;
    m = m < 0x1.6a09e667f3bcdp-1 ? 2 * m : m;
    double f = m - 1;
    double s = f / (2 + f);
    double z = s * s;
    double series =
        polynomial(
            z,
            6.666666666666735130e-01,
            3.999999999940941908e-01,
            2.857142874366239149e-01,
            2.222219843214978396e-01,
            1.818357216161805012e-01,
            1.531383769920937332e-01,
            1.479819860511658591e-01,
            0);
    double half = 0.5 * f;
    double rest = Scalars.fma(s, Scalars.fma(z, series, half * f), k * LOG_2_LOW);
    double less = Scalars.fma(half, f, 0 - rest) - f;
    return Scalars.fma(k, LOG_2_HIGH, 0 - less);
  }
}
