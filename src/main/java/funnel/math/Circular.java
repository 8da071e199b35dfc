package funnel.math;

/** Sine, cosine and tangent. */
final class Circular {

  /* |x| = k pi/2 + r with |r| below 0.8: by three parts of pi/2 (Cody and Waite), each of 53 bits. The
   * product with the first part is exact in a fused multiply-add, and so is the difference, as both
   * are multiples of 2^-53. r is a number and a rest. From 2^30 on, HugeAngles reduces.
   *
   * sin r = r + r^3 p(r^2), cos r = 1 - r^2/2 + r^4 q(r^2); sums are carried with rests. Both are
   * computed, and one is chosen, since a branch would be taken by half of the threads.
   */

  private static final double PER_HALF_PI = 0x1.45f306dc9c883p-1;
  static final double HALF_PI = 0x1.921fb54442d18p+0;
  static final double HALF_PI_REST = 0x1.1a62633145c07p-54;
  private static final double HALF_PI_LAST = -0x1.f1976b7ed8fbcp-110;
  private static final double HUGE = 0x1p30;

  private Circular() {}

  /** k. */
  private static double multiple(double size) {
    double bounded = size > HUGE ? 0 : size;
    return Math.fma(bounded, PER_HALF_PI, Exponentials.INTEGER) - Exponentials.INTEGER;
  }

  /** The last two bits of k. */
  private static int quadrant(double size) {
    int quadrant = (int) multiple(size);
    if (size > HUGE) {
      quadrant = (int) HugeAngles.reduce(size, 0);
    }
    return quadrant & 3;
  }

  /** r or, if asked, its rest. */
  private static double remainder(double size, boolean isRest) {
    double k = multiple(size);
    double first = Math.fma(k, -HALF_PI, size);
    double product = k * HALF_PI_REST;
    double productRest = Math.fma(k, HALF_PI_REST, -product);
    double r = first - product;
    double back = r - first;
    double error = (first - (r - back)) - (product + back);
    double rest = error - Math.fma(k, HALF_PI_LAST, productRest);
    double leading = r + rest;
    double result = isRest ? (r - leading) + rest : leading;
    if (size > HUGE) {
      result = HugeAngles.reduce(size, isRest ? 2 : 1);
    }
    return result;
  }

  /** What is added to r to give its sine. */
  private static double sinRest(double r, double rest) {
    double z = r * r;
    double p = Math.fma(0x1.5d93a5acfd57cp-33, z, -0x1.ae5e68a2b9cebp-26);
    p = Math.fma(p, z, 0x1.71de357b1fe7dp-19);
    p = Math.fma(p, z, -0x1.a01a019c161d5p-13);
    p = Math.fma(p, z, 0x1.111111110f8a6p-7);
    p = Math.fma(p, z, -0x1.5555555555549p-3);
    return Math.fma(r * z, p, Math.fma(-0.5 * z, rest, rest));
  }

  /** What is added to 1 - r^2/2, as it is rounded, to give the cosine. */
  private static double cosRest(double r, double rest) {
    double z = r * r;
    double p = Math.fma(-0x1.8fae9be8838d4p-37, z, 0x1.1ee9ebdb4b1c4p-29);
    p = Math.fma(p, z, -0x1.27e4f809c52adp-22);
    p = Math.fma(p, z, 0x1.a01a019cb1590p-16);
    p = Math.fma(p, z, -0x1.6c16c16c15177p-10);
    p = Math.fma(p, z, 0x1.555555555554cp-5);
    double leading = Math.fma(-0.5, z, 1);
    double lost = Math.fma(-0.5, z, 1 - leading) - 0.5 * Math.fma(r, r, -z);
    return Math.fma(z * z, p, lost) - r * rest;
  }

  private static double cosLeading(double r) {
    return Math.fma(-0.5, r * r, 1);
  }

  /** The sine of r + quadrant pi/2. */
  private static double sin(double r, double rest, int quadrant) {
    double sin = r + sinRest(r, rest);
    double cos = cosLeading(r) + cosRest(r, rest);
    double result = (quadrant & 1) == 1 ? cos : sin;
    return (quadrant & 2) == 2 ? -result : result;
  }

  static double sin(double x) {
    double size = Math.abs(x);
    double positive = sin(remainder(size, false), remainder(size, true), quadrant(size));
    double result = x < 0 ? -positive : positive;
    result = size > Double.MAX_VALUE ? x - x : result;
    return x == 0 ? x : result;
  }

  static double cos(double x) {
    double size = Math.abs(x);
    double result = sin(remainder(size, false), remainder(size, true), quadrant(size) + 1);
    return size > Double.MAX_VALUE ? x - x : result;
  }

  static double tan(double x) {
    double size = Math.abs(x);
    double r = remainder(size, false);
    double rest = remainder(size, true);
    double sinRest = sinRest(r, rest);
    double sin = r + sinRest;
    sinRest = (r - sin) + sinRest;
    double cosRest = cosRest(r, rest);
    double cosLeading = cosLeading(r);
    double cos = cosLeading + cosRest;
    cosRest = (cosLeading - cos) + cosRest;
    int isOdd = quadrant(size) & 1;
    double above = isOdd == 1 ? -cos : sin;
    double aboveRest = isOdd == 1 ? -cosRest : sinRest;
    double below = isOdd == 1 ? sin : cos;
    double belowRest = isOdd == 1 ? sinRest : cosRest;
    double reciprocal = 1 / below;
    double quotient = above * reciprocal;
    double missing = Math.fma(-quotient, below, above) + aboveRest;
    double positive = quotient + Math.fma(-quotient, belowRest, missing) * reciprocal;
    double result = x < 0 ? -positive : positive;
    result = size > Double.MAX_VALUE ? x - x : result;
    return size < 0x1p-28 ? x : result;
  }

  /* Floats are reduced and computed in doubles, without rests. */

  private static double remainder(double size) {
    double k = multiple(size);
    double result = Math.fma(k, -HALF_PI_REST, Math.fma(k, -HALF_PI, size));
    if (size > HUGE) {
      result = HugeAngles.reduce(size, 1);
    }
    return result;
  }

  private static double sinOfFloat(double r) {
    double z = r * r;
    double p = Math.fma(0x1.6db3872f5e48bp-19, z, -0x1.a0138702ef739p-13);
    p = Math.fma(p, z, 0x1.11110dd6f24b2p-7);
    p = Math.fma(p, z, -0x1.5555555454057p-3);
    return Math.fma(r * z, p, r);
  }

  private static double cosOfFloat(double r) {
    double z = r * r;
    double p = Math.fma(-0x1.251d4aa551446p-22, z, 0x1.a015aebf2d52dp-16);
    p = Math.fma(p, z, -0x1.6c16bf44b915cp-10);
    p = Math.fma(p, z, 0x1.55555554ff76fp-5);
    return Math.fma(z * z, p, Math.fma(-0.5, z, 1));
  }

  private static double sinOfFloat(double size, int more) {
    double r = remainder(size);
    int quadrant = quadrant(size) + more;
    double result = (quadrant & 1) == 1 ? cosOfFloat(r) : sinOfFloat(r);
    return (quadrant & 2) == 2 ? -result : result;
  }

  static float sin(float x) {
    double size = Math.abs((double) x);
    double positive = sinOfFloat(size, 0);
    double result = x < 0 ? -positive : positive;
    result = size > Float.MAX_VALUE ? size - size : result;
    return x == 0 ? x : (float) result;
  }

  static float cos(float x) {
    double size = Math.abs((double) x);
    double result = sinOfFloat(size, 1);
    return (float) (size > Float.MAX_VALUE ? size - size : result);
  }

  static float tan(float x) {
    double size = Math.abs((double) x);
    double r = remainder(size);
    double sin = sinOfFloat(r);
    double cos = cosOfFloat(r);
    int isOdd = quadrant(size) & 1;
    double above = isOdd == 1 ? -cos : sin;
    double positive = above / (isOdd == 1 ? sin : cos);
    double result = x < 0 ? -positive : positive;
    result = size > Float.MAX_VALUE ? size - size : result;
    return x == 0 ? x : (float) result;
  }
}
