package funnel.math;

/** The inverses of sine, cosine and tangent. */
final class InverseCircular {

  /* atan of a quotient from 0 to 1: above tan(pi/8), atan(n/d) = pi/4 + atan((n - d)/(n + d)), so
   * that the argument s of the polynomial is below 0.42; one division, of numbers with rests. Small
   * points are scaled up, so that the division's remainder, 2^-106 of a number, is not lost.
   */

  private static final double PI = 0x1.921fb54442d18p+1;
  private static final double PI_REST = 0x1.1a62633145c07p-53;
  private static final double QUARTER_PI = 0x1.921fb54442d18p-1;
  private static final double QUARTER_PI_REST = 0x1.1a62633145c07p-55;
  private static final double TAN_EIGHTH_PI = 0x1.a827999fcef32p-2;

  private InverseCircular() {}

  /** The angle from 0 to pi of a point with y not negative; neither is 0 or infinite with both. */
  private static double angle(double y, double x, int isLeft) {
    double n = y > x ? x : y;
    double d = y > x ? y : x;
    int isAbove = y > x ? 1 : 0;
    int isFar = n > TAN_EIGHTH_PI * d ? 1 : 0;
    double difference = n - d;
    double sum = n + d;
    double above = isFar == 1 ? difference : n;
    double aboveRest = isFar == 1 ? n - (difference + d) : 0;
    double below = isFar == 1 ? sum : d;
    double belowRest = isFar == 1 ? n - (sum - d) : 0;
    double reciprocal = 1 / below;
    double s = above * reciprocal;
    double missing = Math.fma(-s, below, above) + aboveRest;
    double rest = Math.fma(-s, belowRest, missing) * reciprocal;
    double t = s * s;
    double p = Math.fma(-0x1.37c6a16c69300p-6, t, 0x1.4064bd87c0666p-5);
    p = Math.fma(p, t, -0x1.a0413ef02020ep-5);
    p = Math.fma(p, t, 0x1.dfd550f02f5dap-5);
    p = Math.fma(p, t, -0x1.10f97c604830ap-4);
    p = Math.fma(p, t, 0x1.3b125117d4164p-4);
    p = Math.fma(p, t, -0x1.745d0a620f485p-4);
    p = Math.fma(p, t, 0x1.c71c718053ec6p-4);
    p = Math.fma(p, t, -0x1.249249242e44ap-3);
    p = Math.fma(p, t, 0x1.99999999992b1p-3);
    p = Math.fma(p, t, -0x1.5555555555555p-2);
    rest = Math.fma(s * t, p, rest);
    int quarters = isAbove == 1 ? 2 - isFar : isFar;
    int sign = (isAbove ^ isLeft) == 1 ? -1 : 1;
    quarters = isLeft == 1 ? 4 - quarters : quarters;
    double whole = quarters * QUARTER_PI;
    double wholeRest = Math.fma(quarters, QUARTER_PI, -whole) + quarters * QUARTER_PI_REST;
    double leading = Math.fma(sign, s, whole);
    double lost = Math.fma(sign, s, whole - leading) + wholeRest;
    return leading + Math.fma(sign, rest, lost);
  }

  static double atan(double x) {
    double size = Math.abs(x);
    double positive = angle(size > 0x1p100 ? 0x1p100 : size, 1, 0);
    double result = x < 0 ? -positive : positive;
    return size < 0x1p-28 ? x : result;
  }

  /** Whether a number is below 0, or -0.0: 1 or 0. */
  static int isNegative(double v) {
    int result = v < 0 ? 1 : 0;
    if (v == 0) { // only then, since divisions are slow
      result = 1 / v < 0 ? 1 : 0;
    }
    return result;
  }

  static double atan2(double y, double x) {
    double height = Math.abs(y);
    double width = Math.abs(x);
    int isHigh = height > Double.MAX_VALUE ? 1 : 0;
    int isWide = width > Double.MAX_VALUE ? 1 : 0;
    double larger = height > width ? height : width;
    double up = larger < 1 ? 0x1p120 : 1;
    double factor = larger > 0x1p900 ? 0x1p-120 : up;
    double a = isWide == 1 ? 0 : height * factor;
    a = isHigh == 1 ? 1 : a;
    double b = isHigh == 1 ? 0 : width * factor;
    b = isWide == 1 ? 1 : b;
    b = larger == 0 ? 1 : b;
    double angle = angle(a, b, isNegative(x));
    angle = x == x ? angle : x;
    angle = y == y ? angle : y;
    return isNegative(y) == 1 ? -angle : angle;
  }

  /* asin x = x + x^3 p(x^2) up to 1/2; above, with z = (1 - x) / 2, pi/2 - 2 asin(sqrt z). The root is
   * a number and a rest.
   */

  private static double square(double size) {
    return size < 0.5 ? size * size : Math.fma(-0.5, size, 0.5);
  }

  private static double polynomial(double z) {
    double p = Math.fma(0x1.d72b2bc8155f8p-6, z, -0x1.e6aaa8a0a04ccp-7);
    p = Math.fma(p, z, 0x1.1d189408314eep-6);
    p = Math.fma(p, z, 0x1.65a9c4dfcf8b2p-8);
    p = Math.fma(p, z, 0x1.52420b04b37bep-7);
    p = Math.fma(p, z, 0x1.782651caa6547p-7);
    p = Math.fma(p, z, 0x1.c9cf07674736ap-7);
    p = Math.fma(p, z, 0x1.1c4d35cf95421p-6);
    p = Math.fma(p, z, 0x1.6e8bb1c8209a2p-6);
    p = Math.fma(p, z, 0x1.f1c71c1db0623p-6);
    p = Math.fma(p, z, 0x1.6db6db6e31f13p-5);
    p = Math.fma(p, z, 0x1.3333333332ecap-4);
    return Math.fma(p, z, 0x1.5555555555556p-3);
  }

  /** What is added to the root of z to give its arc sine; the root's own rest is part of it. */
  private static double rootRest(double root, double z) {
    double rest = Math.fma(-root, root, z) / (2 * root);
    double own = root > 0 ? rest : 0;
    return Math.fma(root * z, polynomial(z), own);
  }

  static double asin(double x) {
    double size = Math.abs(x);
    double z = square(size);
    double near = Math.fma(size * z, polynomial(z), size);
    double root = Math.sqrt(z);
    double leading = Math.fma(-2, root, Circular.HALF_PI);
    double lost = Math.fma(-2, root, Circular.HALF_PI - leading);
    double far = leading + (lost + Math.fma(-2, rootRest(root, z), Circular.HALF_PI_REST));
    double positive = size < 0.5 ? near : far;
    double result = x < 0 ? -positive : positive;
    return size < 0x1p-28 ? x : result;
  }

  static double acos(double x) {
    double size = Math.abs(x);
    double z = square(size);
    double middle = Circular.HALF_PI - x;
    double middleLost = (Circular.HALF_PI - middle) - x;
    double near = Math.fma(-x * z, polynomial(z), middleLost + Circular.HALF_PI_REST);
    double root = Math.sqrt(z);
    double rest = rootRest(root, z);
    double leading = Math.fma(-2, root, PI);
    double lost = Math.fma(-2, root, PI - leading);
    double left = leading + (lost + Math.fma(-2, rest, PI_REST));
    double right = 2 * (root + rest);
    double far = x < 0 ? left : right;
    return size < 0.5 ? middle + near : far;
  }
}
