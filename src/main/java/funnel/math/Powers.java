package funnel.math;

/** Powers and roots of products. */
final class Powers {

  /* x^y = e^(y log |x|). An error of the logarithm is multiplied by up to 745, so the logarithm has 11
   * bits more than a double: as in Logarithms, but z, z^2, z^3 and 2/3 are numbers and rests, and only
   * the terms from z^5 on are plain doubles (SLEEF's logk).
   */

  private static final double LN2_HIGH = 0x1.62e42fefa3800p-1;
  private static final double LN2_LOW = 0x1.ef35793c76730p-45;
  private static final double TWO_THIRDS = 0x1.5555555555555p-1;
  private static final double TWO_THIRDS_REST = 0x1.5555555555555p-55;

  private Powers() {}

  /** v^y of positive v. */
  private static double power(double v, double y) {
    double m = PowersOfTwo.centred(v);
    double e = PowersOfTwo.centredExponent(v);
    double difference = m - 1;
    double sum = m + 1;
    double reciprocal = 1 / sum;
    double z = difference * reciprocal;
    double remainder = Math.fma(-z, sum, difference) - z * (m - (sum - 1));
    double zRest = remainder * reciprocal;
    double w = z * z;
    double wRest = Math.fma(z, z, -w) + 2 * z * zRest;
    double cube = z * w;
    double cubeRest = Math.fma(z, w, -cube) + Math.fma(z, wRest, zRest * w);
    double third = cube * TWO_THIRDS;
    double thirdRest = Math.fma(cube, TWO_THIRDS, -third);
    thirdRest = thirdRest + Math.fma(cube, TWO_THIRDS_REST, cubeRest * TWO_THIRDS);
    double p = Math.fma(0x1.e0b2fadc317e7p-4, w, 0x1.df700c050c69dp-4);
    p = Math.fma(p, w, 0x1.11190514d902bp-3);
    p = Math.fma(p, w, 0x1.3b1394b0a7753p-3);
    p = Math.fma(p, w, 0x1.745d177d4ef6cp-3);
    p = Math.fma(p, w, 0x1.c71c71c6e78a1p-3);
    p = Math.fma(p, w, 0x1.249249249252cp-2);
    p = Math.fma(p, w, 0x1.999999999999ap-2);
    double whole = e * LN2_HIGH;
    double first = Math.fma(2, z, whole);
    double second = first + third;
    double errors = Math.fma(2, z, whole - first) + ((first - second) + third);
    double rest = Math.fma(e, LN2_LOW, errors) + Math.fma(2, zRest, thirdRest);
    rest = Math.fma(cube * w, p, rest);
    double leading = second + rest;
    double product = y * leading;
    double productRest = Math.fma(y, leading, -product) + y * ((second - leading) + rest);
    return Exponentials.exp(product, Math.abs(product) < 1000 ? productRest : 0);
  }

  static double pow(double x, double y) {
    double result = power(Math.abs(x), y);
    int isPlain = (x > 0 ? 1 : 0) & (x > Double.MAX_VALUE ? 0 : 1);
    if (isPlain == 0) { // a branch, since it is seldom taken
      result = special(x, y, result);
    }
    return y == 0 ? 1 : result;
  }

  /** x^y where x is not a positive number; the power is that of its absolute value. */
  private static double special(double x, double y, double power) {
    double exponent = Math.abs(y);
    double nearest = (exponent + 0x1p52) - 0x1p52;
    double half = exponent * 0.5;
    double nearestHalf = (half + 0x1p52) - 0x1p52;
    int isInteger = (nearest == exponent ? 1 : 0) | (exponent < 0x1p52 ? 0 : 1);
    int mayBeOdd = exponent < 0x1p53 ? 1 : 0;
    int isOdd = isInteger & (nearestHalf == half ? 0 : 1) & mayBeOdd;

    double size = Math.abs(x);
    double huge = (size + 1) * 0x1p1023;
    double infinity = huge + huge;
    double negative = isOdd == 1 ? -power : power;
    double result = isInteger == 1 ? negative : infinity - infinity;

    double bound = y < 0 ? 1 / x : x;
    bound = isOdd == 1 ? bound : Math.abs(bound);
    bound = y == y ? bound : y;
    int isBound = (size == 0 ? 1 : 0) | (size > Double.MAX_VALUE ? 1 : 0);
    result = isBound == 1 ? bound : result;
    return x == x ? result : x;
  }

  /* v = 2^(3 q) m with m from 1 to 8. r is almost m^(-1/3) by a polynomial and one step of Newton's
   * method; the root is m r^2, improved by one more step with the exact difference of its cube and m.
   */

  static double cbrt(double x) {
    double size = Math.abs(x);
    double f = PowersOfTwo.mantissa(size);
    int shifted = PowersOfTwo.exponent(size) + 1200;
    int third = ((shifted * 21846) >> 16) & 0xffff;
    int remainder = shifted - 3 * third;
    double r = Math.fma(-0x1.0e87006cbe6bbp-6, f, 0x1.37ce9e9ed0a1dp-3);
    r = Math.fma(r, f, -0x1.2c4b958d54c08p-1);
    r = Math.fma(r, f, 0x1.3a267a3d49ad4p+0);
    r = Math.fma(r, f, -0x1.8dd4bd7d34771p+0);
    r = Math.fma(r, f, 0x1.c713e2847cbe6p+0);
    double cube = r * r * r;
    r = r * Math.fma(-f, cube, 4) * (1 / 3.0);
    double m = remainder > 0 ? 2 * f : f;
    m = remainder > 1 ? 4 * f : m;
    r = remainder > 0 ? r * (remainder > 1 ? 0x1.428a2f98d728bp-1 : 0x1.965fea53d6e3dp-1) : r;
    double root = m * r * r;
    double square = root * root;
    double squareRest = Math.fma(root, root, -square);
    double excess = Math.fma(square, root, -m) + squareRest * root;
    root = Math.fma(excess, r * r * (-1 / 3.0), root);
    double result = PowersOfTwo.scale(root, third - 400);
    result = x < 0 ? -result : result;
    result = size > 0 ? result : x;
    return size > Double.MAX_VALUE ? x : result;
  }

  /* The square root of a fused sum of squares, corrected by what its own square is too large
   * (Borges, "An improved algorithm for hypot(a, b)", 2019).
   */

  static double hypot(double x, double y) {
    double first = Math.abs(x);
    double second = Math.abs(y);
    double larger = first > second ? first : second;
    double smaller = first > second ? second : first;
    double up = larger < 0x1p-450 ? 0x1p600 : 1;
    double factor = larger > 0x1p500 ? 0x1p-600 : up;
    double down = larger < 0x1p-450 ? 0x1p-600 : 1;
    double back = larger > 0x1p500 ? 0x1p600 : down;
    double a = larger * factor;
    double b = smaller * factor;
    double root = Math.sqrt(Math.fma(a, a, b * b));
    double square = root * root;
    double aSquare = a * a;
    double excess = Math.fma(-b, b, square - aSquare);
    excess = excess + (Math.fma(root, root, -square) - Math.fma(a, a, -aSquare));
    double result = (root - excess / (2 * root)) * back;
    result = root == 0 ? larger : result;
    result = first > Double.MAX_VALUE ? first : result;
    return second > Double.MAX_VALUE ? second : result;
  }
}
