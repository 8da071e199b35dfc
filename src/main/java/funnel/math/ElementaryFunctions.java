package funnel.math;

import funnel.kernel.Scalars;

/**
 * The elementary functions of {@link Math}, in Java, with the same bits on the JVM and on devices.
 *
 * <p>Each result is one of the two numbers next to the exact one (an error below 1 ulp), and
 * special cases are those of {@link Math}. The bits are not always those of {@link Math}, whose
 * results depend on the machine. Methods of floats have an error below 1 ulp of a float.
 *
 * <p>Cost: as NVIDIA's compiler counts, 39 operations on doubles an element for {@code exp}, 50 for
 * {@code sin}, {@code cos} and {@code atan}, 50 to 90 for most others, 155 for {@code pow}; for
 * floats about 20 for {@code exp}, {@code sin} and {@code cos}, and 25 for {@code log} and {@code
 * tan}. A GPU with few units for doubles computes them accordingly slowly. Angles above 2^30 take a
 * branch of 200 more. On a JVM they take 0.6 to 1.8 times as long as those of {@link Math}; without
 * a fused multiply-add instruction, all are slow.
 *
 * <p>The algorithms are those of SLEEF, without tables and almost without branches (Naoki Shibata
 * and Francesco Petrogalli, "SLEEF: A Portable Vectorized Library of C Standard Mathematical
 * Functions", IEEE Transactions on Parallel and Distributed Systems 31, 2020), with sums and
 * products of two doubles from Muller et al., "Handbook of Floating-Point Arithmetic", 2018. The
 * polynomials of sine and cosine are fdlibm's (Sun Microsystems, 1993); others interpolate at
 * Chebyshev nodes. Huge angles are reduced after Payne and Hanek (1983).
 *
 * {@snippet class="funnel.docs.MathSnippets" region="bells"}
 */
public final class ElementaryFunctions {

  private ElementaryFunctions() {}

  /**
   * e to the power {@code x}. NaN for NaN, 0 for negative infinity and below -745.14, infinity
   * above 709.78. {@code exp(1)} is 2.718281828459045.
   */
  public static double exp(double x) {
    return Exponentials.exp(x, 0);
  }

  /** As {@link #exp(double)}, in fewer operations, for floats. */
  public static float exp(float x) {
    return Exponentials.exp(x);
  }

  /**
   * e to the power {@code x}, less 1, also where that is almost 0. NaN for NaN, -1 for negative
   * infinity, infinity above 709.78, and zeros for themselves. {@code expm1(1e-20)} is 1e-20.
   */
  public static double expm1(double x) {
    return Exponentials.expm1(x);
  }

  /** As {@link #expm1(double)}, rounded to a float. */
  public static float expm1(float x) {
    return (float) Exponentials.expm1((double) x);
  }

  /**
   * The natural logarithm. NaN for NaN and below 0, negative infinity for zeros, infinity for
   * itself. {@code log(10)} is 2.302585092994046.
   */
  public static double log(double x) {
    return Logarithms.log(x);
  }

  /** As {@link #log(double)}, in fewer operations, for floats. */
  public static float log(float x) {
    return Logarithms.log(x);
  }

  /**
   * The decimal logarithm. NaN for NaN and below 0, negative infinity for zeros, infinity for
   * itself; n for 10 to the power n, if that is exact. {@code log10(1000)} is 3.
   */
  public static double log10(double x) {
    return Logarithms.log10(x);
  }

  /** As {@link #log10(double)}, rounded to a float. */
  public static float log10(float x) {
    return (float) Logarithms.log10((double) x);
  }

  /**
   * The natural logarithm of 1 and {@code x}, also where that is almost 0. NaN for NaN and below
   * -1, negative infinity for -1, infinity and zeros for themselves. {@code log1p(1e-20)} is 1e-20.
   */
  public static double log1p(double x) {
    return Logarithms.log1p(x);
  }

  /** As {@link #log1p(double)}, rounded to a float. */
  public static float log1p(float x) {
    return (float) Logarithms.log1p((double) x);
  }

  /**
   * {@code x} to the power {@code y}, with all special cases of {@link Math#pow}: 1 if {@code y} is
   * 0; NaN if either is NaN, for 1 to an infinite power, and for a negative number to a power that
   * is no integer; a negative number or -0.0 to an odd power is negative. Exact where both are
   * integers and the result is. {@code pow(2, -3)} is 0.125.
   */
  public static double pow(double x, double y) {
    return Powers.pow(x, y);
  }

  /** As {@link #pow(double, double)}, rounded to a float. */
  public static float pow(float x, float y) {
    return (float) Powers.pow(x, y);
  }

  /** The cube root. NaN, infinities and zeros for themselves. {@code cbrt(-27)} is -3. */
  public static double cbrt(double x) {
    return Powers.cbrt(x);
  }

  /** As {@link #cbrt(double)}, rounded to a float. */
  public static float cbrt(float x) {
    return (float) Powers.cbrt((double) x);
  }

  /**
   * The root of the sum of squares, without overflow or underflow between. Infinity if either is
   * infinite, else NaN if either is NaN. {@code hypot(3, 4)} is 5.
   */
  public static double hypot(double x, double y) {
    return Powers.hypot(x, y);
  }

  /**
   * The sine of an angle in radians, of any size. NaN for NaN and infinities, zeros for themselves.
   * {@code sin(1)} is 0.8414709848078965.
   */
  public static double sin(double x) {
    return Circular.sin(x);
  }

  /** As {@link #sin(double)}, in fewer operations, for floats. */
  public static float sin(float x) {
    return Circular.sin(x);
  }

  /**
   * The cosine of an angle in radians, of any size. NaN for NaN and infinities, 1 for zeros. {@code
   * cos(1)} is 0.5403023058681398.
   */
  public static double cos(double x) {
    return Circular.cos(x);
  }

  /** As {@link #cos(double)}, in fewer operations, for floats. */
  public static float cos(float x) {
    return Circular.cos(x);
  }

  /**
   * The tangent of an angle in radians, of any size. NaN for NaN and infinities, zeros for
   * themselves. {@code tan(1)} is 1.557407724654902.
   */
  public static double tan(double x) {
    return Circular.tan(x);
  }

  /** As {@link #tan(double)}, in fewer operations, for floats. */
  public static float tan(float x) {
    return Circular.tan(x);
  }

  /**
   * The arc sine, from -pi/2 to pi/2. NaN for NaN and outside -1 to 1, zeros for themselves. {@code
   * asin(1)} is 1.5707963267948966.
   */
  public static double asin(double x) {
    return InverseCircular.asin(x);
  }

  /** As {@link #asin(double)}, rounded to a float. */
  public static float asin(float x) {
    return (float) InverseCircular.asin((double) x);
  }

  /** The arc cosine, from 0 to pi. NaN for NaN and outside -1 to 1. {@code acos(1)} is 0. */
  public static double acos(double x) {
    return InverseCircular.acos(x);
  }

  /** As {@link #acos(double)}, rounded to a float. */
  public static float acos(float x) {
    return (float) InverseCircular.acos((double) x);
  }

  /**
   * The arc tangent, from -pi/2 to pi/2. NaN for NaN, zeros for themselves, half of pi with its
   * sign for infinities. {@code atan(1)} is 0.7853981633974483.
   */
  public static double atan(double x) {
    return InverseCircular.atan(x);
  }

  /** As {@link #atan(double)}, rounded to a float. */
  public static float atan(float x) {
    return (float) InverseCircular.atan((double) x);
  }

  /**
   * The angle of the point ({@code x}, {@code y}), from -pi to pi, with all special cases of {@link
   * Math#atan2}: signs of zeros count, infinities are far away in their directions, NaN if either
   * is NaN. {@code atan2(0.0, -1)} is 3.141592653589793.
   */
  public static double atan2(double y, double x) {
    return InverseCircular.atan2(y, x);
  }

  /**
   * The hyperbolic sine. NaN, infinities and zeros for themselves; infinite above 710.48. {@code
   * sinh(1)} is 1.1752011936438014.
   */
  public static double sinh(double x) {
    return Exponentials.sinh(x);
  }

  /** As {@link #sinh(double)}, rounded to a float. */
  public static float sinh(float x) {
    return (float) Exponentials.sinh((double) x);
  }

  /**
   * The hyperbolic cosine. NaN for NaN, infinity for infinities, 1 for zeros; infinite above
   * 710.48. {@code cosh(1)} is 1.543080634815244.
   */
  public static double cosh(double x) {
    return Exponentials.cosh(x);
  }

  /** As {@link #cosh(double)}, rounded to a float. */
  public static float cosh(float x) {
    return (float) Exponentials.cosh((double) x);
  }

  /**
   * The hyperbolic tangent, from -1 to 1. NaN and zeros for themselves. {@code tanh(1)} is
   * 0.7615941559557649.
   */
  public static double tanh(double x) {
    return Exponentials.tanh(x);
  }

  /** As {@link #tanh(double)}, rounded to a float. */
  public static float tanh(float x) {
    return (float) Exponentials.tanh((double) x);
  }

  /**
   * {@code Math.toRadians(degrees)}, exactly its result. {@code toRadians(180)} is
   * 3.141592653589793.
   */
  public static double toRadians(double degrees) {
    return degrees * 0.017453292519943295;
  }

  /** {@code Math.toDegrees(radians)}, exactly its result. {@code toDegrees(Math.PI)} is 180. */
  public static double toDegrees(double radians) {
    return radians * 57.29577951308232;
  }

  /**
   * {@code Math.rint(x)}, exactly its result: the nearest integer, of two the even one. {@code
   * rint(2.5)} is 2, {@code rint(-0.3)} is -0.0.
   */
  public static double rint(double x) {
    return Rounding.rint(x);
  }

  /**
   * {@code Math.round(x)}, exactly its result: the nearest integer, of two the greater one; 0 for
   * NaN, the nearest long for a number out of range. {@code round(-2.5)} is -2.
   */
  public static long round(double x) {
    return Scalars.toLong(Rounding.round(x));
  }

  /**
   * {@code Math.round(x)}, exactly its result: the nearest integer, of two the greater one; 0 for
   * NaN, the nearest int for a number out of range. {@code round(2.5f)} is 3.
   */
  public static int round(float x) {
    return Scalars.toInt(Rounding.round(x));
  }

  /**
   * {@code Math.signum(x)}, exactly its result: -1, 1, or {@code x} itself if it is a zero or NaN.
   */
  public static double signum(double x) {
    return Rounding.signum(x);
  }

  /**
   * {@code Math.signum(x)}, exactly its result: -1, 1, or {@code x} itself if it is a zero or NaN.
   */
  public static float signum(float x) {
    return (float) Rounding.signum(x);
  }

  /**
   * {@code StrictMath.copySign(magnitude, sign)}, exactly its result: a NaN as {@code sign} is
   * positive. {@code copySign(3, -0.0)} is -3.
   */
  public static double copySign(double magnitude, double sign) {
    return Rounding.copySign(magnitude, sign);
  }

  /**
   * {@code StrictMath.copySign(magnitude, sign)}, exactly its result: a NaN as {@code sign} is
   * positive.
   */
  public static float copySign(float magnitude, float sign) {
    return (float) Rounding.copySign(magnitude, sign);
  }
}
