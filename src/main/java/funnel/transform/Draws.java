package funnel.transform;

/** Numbers of distributions that follow from a state of {@link SplitMix} and an index. */
final class Draws {

  /* Every operation here is rounded alike on all engines: sums, differences, products, quotients
   * and fused multiply-adds of doubles. No addition follows a product, since a
   * device on which Funnel does not call NVIDIA's compiler itself may contract these, unless the
   * product is exact. Math.log may differ, so there is one of our
   * own, that of fdlibm. Math.fma is called itself, since TornadoVM gives up on kernels that call
   * too many methods. The inverse of the normal distribution needs no quotient of polynomials:
   * it is that of Mike Giles, "Approximating the erfinv function", GPU Computing Gems, 2011.
   */

  private static final double LOG_2_HIGH = 6.93147180369123816490e-01;
  private static final double LOG_2_LOW = 1.90821492927058770002e-10;
  private static final double SQRT_2 = 1.4142135623730951;

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
    double high = Math.fma(Math.fma(Math.fma(c7, x, c6), x, c5), x, c4);
    return Math.fma(Math.fma(Math.fma(Math.fma(high, x, c3), x, c2), x, c1), x, c0);
  }

  /**
   * A number of mean 0 and variance 1, from -8.3 to 8.3, with an error of at most 4 ulps: the
   * inverse of the distribution function at the middle of the 2^-53 that a uniform number stands
   * for.
   */
  static double normal(long start, int i) {
    double x = 2 * (uniform(start, i) - 0.5 + 0x1p-54);
    double w = 0 - log(Math.fma(0 - x, x, 1));
    double quotient;
    if (w < 6.25) {
      quotient = nearZero(w - 3.125);
    } else if (w < 16) {
      quotient = between(Math.sqrt(w) - 3.25);
    } else {
      quotient = nearOne(Math.sqrt(w) - 5);
    }
    return quotient * x * SQRT_2;
  }

  /** Of {@code w} below 6.25. */
  private static double nearZero(double x) {
    double y = -3.64441206401782e-21;
    y = Math.fma(y, x, -1.6850591381820166e-19);
    y = Math.fma(y, x, 1.28584807152564e-18);
    y = Math.fma(y, x, 1.1157877678025181e-17);
    y = Math.fma(y, x, -1.333171662854621e-16);
    y = Math.fma(y, x, 2.0972767875968562e-17);
    y = Math.fma(y, x, 6.637638134358324e-15);
    y = Math.fma(y, x, -4.054566272975207e-14);
    y = Math.fma(y, x, -8.151934197605472e-14);
    y = Math.fma(y, x, 2.6335093153082323e-12);
    y = Math.fma(y, x, -1.2975133253453532e-11);
    y = Math.fma(y, x, -5.415412054294628e-11);
    y = Math.fma(y, x, 1.0512122733215323e-9);
    y = Math.fma(y, x, -4.112633980346984e-9);
    y = Math.fma(y, x, -2.9070369957882005e-8);
    y = Math.fma(y, x, 4.2347877827932404e-7);
    y = Math.fma(y, x, -1.3654692000834679e-6);
    y = Math.fma(y, x, -1.3882523362786469e-5);
    y = Math.fma(y, x, 0.00018673420803405714);
    y = Math.fma(y, x, -0.000740702534166267);
    y = Math.fma(y, x, -0.006033670871430149);
    y = Math.fma(y, x, 0.24015818242558962);
    return Math.fma(y, x, 1.6536545626831027);
  }

  /** Of {@code w} from 6.25 below 16. */
  private static double between(double x) {
    double y = 2.2137376921775787e-9;
    y = Math.fma(y, x, 9.075656193888539e-8);
    y = Math.fma(y, x, -2.7517406297064545e-7);
    y = Math.fma(y, x, 1.8239629214389228e-8);
    y = Math.fma(y, x, 1.5027403968909828e-6);
    y = Math.fma(y, x, -4.013867526981546e-6);
    y = Math.fma(y, x, 2.9234449089955446e-6);
    y = Math.fma(y, x, 1.2475304481671779e-5);
    y = Math.fma(y, x, -4.7318229009055734e-5);
    y = Math.fma(y, x, 6.828485145957318e-5);
    y = Math.fma(y, x, 2.4031110387097894e-5);
    y = Math.fma(y, x, -0.0003550375203628475);
    y = Math.fma(y, x, 0.0009532893797373805);
    y = Math.fma(y, x, -0.0016882755560235047);
    y = Math.fma(y, x, 0.002491442096107851);
    y = Math.fma(y, x, -0.003751208507569241);
    y = Math.fma(y, x, 0.005370914553590064);
    y = Math.fma(y, x, 1.0052589676941592);
    return Math.fma(y, x, 3.0838856104922208);
  }

  /** Of {@code w} from 16. */
  private static double nearOne(double x) {
    double y = -2.7109920616438573e-11;
    y = Math.fma(y, x, -2.555641816996525e-10);
    y = Math.fma(y, x, 1.5076572693500548e-9);
    y = Math.fma(y, x, -3.789465440126737e-9);
    y = Math.fma(y, x, 7.61570120807834e-9);
    y = Math.fma(y, x, -1.496002662714924e-8);
    y = Math.fma(y, x, 2.914795345090108e-8);
    y = Math.fma(y, x, -6.771199775845234e-8);
    y = Math.fma(y, x, 2.2900482228026655e-7);
    y = Math.fma(y, x, -9.9298272942317e-7);
    y = Math.fma(y, x, 4.526062597223154e-6);
    y = Math.fma(y, x, -1.968177810553167e-5);
    y = Math.fma(y, x, 7.599527703001776e-5);
    y = Math.fma(y, x, -0.00021503011930044477);
    y = Math.fma(y, x, -0.00013871931833623122);
    y = Math.fma(y, x, 1.0103004648645344);
    return Math.fma(y, x, 4.849906401408584);
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
    double rest = Math.fma(s, Math.fma(z, series, half * f), k * LOG_2_LOW);
    double less = Math.fma(half, f, 0 - rest) - f;
    return Math.fma(k, LOG_2_HIGH, 0 - less);
  }
}
