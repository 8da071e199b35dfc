package funnel.math;

/** Powers of e, and the hyperbolic functions, which are made of them. */
final class Exponentials {

  /* As in SLEEF's purec functions of 1.0 ulp (Shibata and Petrogalli, 2020): x = k ln 2 + r with |r|
   * below 0.35, and e^r = 1 + r + r^2 p(r). All but the last sum is carried as a number and a rest,
   * so that the result is rounded once, and its error is little more than half a unit in the last
   * place. Adding and subtracting 1.5 * 2^52 rounds to an integer. x - k ln 2 is exact with the high
   * part of ln 2, since the product is not rounded in a fused multiply-add.
   *
   * Arguments are clamped before they are converted to int; NaN passes the comparisons of a clamp,
   * becomes any small int, and stays in r.
   */

  static final double INTEGER = 0x1.8p52;
  private static final double PER_LN2 = 0x1.71547652b82fep+0;
  static final double LN2 = 0x1.62e42fefa39efp-1;
  static final double LN2_REST = 0x1.abc9e3b39803fp-56;

  private Exponentials() {}

  /** k. */
  private static double multiple(double x) {
    return Math.fma(x, PER_LN2, INTEGER) - INTEGER;
  }

  /** x, but a limit beyond the limits. */
  private static double clamp(double x, double least, double most) {
    double low = x < least ? least : x;
    return low > most ? most : low;
  }

  /** (e^r - 1 - r) / r^2. */
  private static double polynomial(double r) {
    double p = Math.fma(0x1.1f73b376c0f55p-29, r, 0x1.af4f1ddf981a8p-26);
    p = Math.fma(p, r, 0x1.27e4db0f8a3efp-22);
    p = Math.fma(p, r, 0x1.71de019d031e7p-19);
    p = Math.fma(p, r, 0x1.a01a01a6f35fbp-16);
    p = Math.fma(p, r, 0x1.a01a01ac16f76p-13);
    p = Math.fma(p, r, 0x1.6c16c16c162a3p-10);
    p = Math.fma(p, r, 0x1.1111111110085p-7);
    p = Math.fma(p, r, 0x1.5555555555556p-5);
    p = Math.fma(p, r, 0x1.5555555555557p-3);
    return Math.fma(p, r, 0.5);
  }

  /** e^(r + rest) - 1 - r, where the rest is small. */
  private static double beyond(double r, double rest) {
    return Math.fma(r * r, polynomial(r), Math.fma(rest, r, rest));
  }

  /** e^(x + rest), where the rest is small. */
  static double exp(double x, double rest) {
    double clamped = clamp(x, -750, 750);
    double k = multiple(clamped);
    double near = Math.fma(k, -LN2, clamped);
    double small = Math.fma(k, -LN2_REST, rest);
    double r = near + small;
    double one = 1 + r;
    double last = (1 - one) + r + beyond(r, (near - r) + small);
    return PowersOfTwo.scale(one + last, (int) k);
  }

  static float exp(float x) {
    double clamped = clamp(x, -104, 89);
    double k = multiple(clamped);
    double r = Math.fma(k, -LN2, clamped);
    double p = Math.fma(0x1.a126522421ce2p-13, r, 0x1.6d44b137a66c0p-10);
    p = Math.fma(p, r, 0x1.1110e072da4bdp-7);
    p = Math.fma(p, r, 0x1.5554e7e77b940p-5);
    p = Math.fma(p, r, 0x1.5555555a8d60ap-3);
    p = Math.fma(p, r, 0x1.0000000bbf332p-1);
    return (float) (Math.fma(r * r, p, 1 + r) * PowersOfTwo.power((int) k));
  }

  /* e^x - 1 = 2^k (e^r - 2^-k), and 1 - 2^-k is exact unless 2^k is so large or so small that it
   * does not matter. The sum of it and r is made from the larger one.
   */

  /** e^x - 1, divided by 2^half, for x from -40 to 750: its leading part or, if asked, its rest. */
  private static double expm1(double x, int less, boolean isRest) {
    double k = multiple(x);
    double near = Math.fma(k, -LN2, x);
    double small = k * -LN2_REST;
    double r = near + small;
    double whole = 1 - PowersOfTwo.scale(1, (int) -k);
    double sum = whole + r;
    double added = sum - whole;
    double error = (whole - (sum - added)) + (r - added);
    double last = error + beyond(r, (near - r) + small);
    double leading = sum + last;
    double part = isRest ? (sum - leading) + last : leading;
    return PowersOfTwo.scale(part, (int) k - less);
  }

  static double expm1(double x) {
    double result = expm1(clamp(x, -40, 750), 0, false);
    return Math.abs(x) < 0x1p-54 ? x : result;
  }

  /* With h = (e^|x| - 1) / 2, sinh |x| = h + h / (2 h + 1). Where the second term is almost 1/2, its
   * argument is bounded.
   */

  static double sinh(double x) {
    double size = Math.abs(x);
    double clamped = size > 750 ? 750 : size;
    double h = expm1(clamped, 1, false);
    double rest = expm1(clamped, 1, true);
    double bounded = h < 0x1p60 ? h : 0x1p60;
    double boundedRest = h < 0x1p60 ? rest : 0;
    double divisor = Math.fma(2, bounded, 1);
    double divisorRest = Math.fma(2, bounded, 1 - divisor) + 2 * boundedRest;
    double reciprocal = 1 / divisor;
    double quotient = bounded * reciprocal;
    double remainder = Math.fma(-quotient, divisor, bounded) + boundedRest;
    double quotientRest = Math.fma(-quotient, divisorRest, remainder) * reciprocal;
    double sum = h + quotient;
    double result = sum + ((h - sum) + quotient + (rest + quotientRest));
    result = h > Double.MAX_VALUE ? h : result;
    result = x < 0 ? -result : result;
    return size < 0x1p-28 ? x : result;
  }

  /** (e^x + e^-x) / 2. */
  static double cosh(double x) {
    double size = Math.abs(x);
    double clamped = size > 750 ? 750 : size;
    double k = multiple(clamped);
    double near = Math.fma(k, -LN2, clamped);
    double small = k * -LN2_REST;
    double r = near + small;
    double one = 1 + r;
    double last = (1 - one) + r + beyond(r, (near - r) + small);
    double leading = one + last;
    double half = PowersOfTwo.scale(leading, (int) k - 1);
    double rest = PowersOfTwo.scale((one - leading) + last, (int) k - 1);
    double other = 0.25 / half;
    double otherRest = 4 * other * (Math.fma(-half, other, 0.25) - rest * other);
    double sum = half + other;
    double result = sum + ((half - sum) + other + (rest + otherRest));
    return half > Double.MAX_VALUE ? half : result;
  }

  /** With h = e^(2 |x|) - 1, the quotient of h and h + 2. */
  static double tanh(double x) {
    double size = Math.abs(x);
    double clamped = size > 20 ? 20 : size;
    double h = expm1(2 * clamped, 0, false);
    double rest = expm1(2 * clamped, 0, true);
    double divisor = h + 2;
    double larger = h > 2 ? h : 2;
    double smaller = h > 2 ? 2 : h;
    double divisorRest = (larger - divisor) + smaller + rest;
    double reciprocal = 1 / divisor;
    double quotient = h * reciprocal;
    double remainder = Math.fma(-quotient, divisor, h) + rest;
    double result = quotient + Math.fma(-quotient, divisorRest, remainder) * reciprocal;
    result = x < 0 ? -result : result;
    return size < 0x1p-28 ? x : result;
  }
}
