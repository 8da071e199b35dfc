package funnel.math;

/** Logarithms. */
final class Logarithms {

  /* As in SLEEF and fdlibm: v = 2^e m with m from sqrt(1/2) to sqrt(2), z = (m - 1) / (m + 1), and
   * log m = 2 z + z^3 p(z^2). m - 1 is exact. z is a number and a rest, by one division.
   */

  /** e times this is exact. */
  private static final double LN2_HIGH = 0x1.62e42fefa3800p-1;

  private static final double LN2_LOW = 0x1.ef35793c76730p-45;
  private static final double PER_LN10 = 0x1.bcb7b1526e50ep-2;
  private static final double PER_LN10_REST = 0x1.95355baaafad3p-57;

  private Logarithms() {}

  /** log(v) + more, where v is positive and more small: its leading part or, if asked, its rest. */
  private static double log(double v, double more, boolean isRest) {
    double m = PowersOfTwo.centred(v);
    int e = PowersOfTwo.centredExponent(v);
    double difference = m - 1;
    double sum = m + 1;
    double reciprocal = 1 / sum;
    double z = difference * reciprocal;
    double remainder = Math.fma(-z, sum, difference) - z * (m - (sum - 1));
    double w = z * z;
    double p = Math.fma(0x1.0c4d8297b1431p-3, w, 0x1.0fb77bcdefa76p-3);
    p = Math.fma(p, w, 0x1.3b1c79943fca2p-3);
    p = Math.fma(p, w, 0x1.745cf7c1d5dafp-3);
    p = Math.fma(p, w, 0x1.c71c7204621fep-3);
    p = Math.fma(p, w, 0x1.249249247513dp-2);
    p = Math.fma(p, w, 0x1.9999999999a43p-2);
    p = Math.fma(p, w, 0x1.5555555555555p-1);
    double rest = Math.fma(z * w, p, 2 * remainder * reciprocal);
    double whole = e * LN2_HIGH;
    double leading = Math.fma(2, z, whole);
    rest = Math.fma(2, z, whole - leading) + (rest + Math.fma(e, LN2_LOW, more));
    double result = leading + rest;
    return isRest ? (leading - result) + rest : result;
  }

  /** The logarithm of v where it is not finite, otherwise the result. */
  private static double special(double v, double result) {
    double huge = (Math.abs(v) + 1) * 0x1p1023;
    double infinity = huge + huge;
    double positive = v > 0 ? result : -infinity;
    double number = v < 0 ? infinity - infinity : positive;
    return v < infinity ? number : v;
  }

  static double log(double v) {
    return special(v, log(v, 0, false));
  }

  static double log10(double v) {
    double leading = log(v, 0, false);
    double rest = log(v, 0, true);
    double product = leading * PER_LN10;
    double low = Math.fma(leading, PER_LN10, -product);
    return special(v, product + (low + Math.fma(leading, PER_LN10_REST, rest * PER_LN10)));
  }

  /** log(1 + x), of which 1 + x is rounded, and what is lost is added divided by it. */
  static double log1p(double x) {
    double v = 1 + x;
    double larger = x > 1 ? x : 1;
    double smaller = x > 1 ? 1 : x;
    double lost = (larger - v) + smaller;
    double result = special(v, log(v, lost / v, false));
    return Math.abs(x) < 0x1p-54 ? x : result;
  }

  static float log(float v) {
    double m = PowersOfTwo.centred(v);
    int e = PowersOfTwo.centredExponent(v);
    double z = (m - 1) / (m + 1);
    double w = z * z;
    double p = Math.fma(0x1.de0b02165e769p-3, w, 0x1.245b27112cd29p-2);
    p = Math.fma(p, w, 0x1.9999ede294843p-2);
    p = Math.fma(p, w, 0x1.5555554b4d3ccp-1);
    double result = Math.fma(e, Exponentials.LN2, Math.fma(z * w, p, z + z));
    return (float) special(v, result);
  }
}
