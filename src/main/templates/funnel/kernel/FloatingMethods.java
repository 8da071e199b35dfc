package funnel.kernel;

import funnel.jit.Element;
import funnel.jit.Overloads;

/**
 * Methods of {@link Math}, {@link Float} and {@link Double} in a form that TornadoVM compiles
 * correctly on every backend, and the remainder of floating-point numbers.
 *
 * <p>Each has the name, the parameters and the result of the JDK's method. In user-defined
 * functions, Funnel replaces the JDK's by these.
 *
 * {@snippet class="funnel.docs.KernelSnippets" region="floating-methods"}
 */
@Overloads("Double")
public final class FloatingMethods {

  /* TornadoVM cannot reinterpret bits, takes a comparison with NaN for its negation's opposite, and
   * divides where a constant is infinite. So bits come from Scalars, signs from sums of 0 and 1,
   * which are converted, and infinities from a product that is computed on the device.
   *
   * A remainder is that of a long division: a multiple of the divisor, by powers of 2^50, is
   * subtracted while it is not larger. The quotient, rounded to an integer, is the right one or one
   * more, and a difference of so close numbers is exact in a fused multiply-add. One loop finds the
   * largest multiple, the next one subtracts; each has one exit.
   */

  private static final double STEP = 0x1p50;

  private FloatingMethods() {}

  /** The number itself, in another variable. */
  public static @Element float unknown(@Element float v) {
    return Math.max(v, v);
  }

  /** 1 if the sign of {@code v} is negative, also of -0.0, else 0; 0 for NaN. */
  public static int isNegative(@Element float v) {
    return (v < 0 ? 1 : 0) | ((v == 0 ? 1 : 0) & (1 / v < 0 ? 1 : 0));
  }

  /** {@code Math.signum(v)}. */
  public static @Element float signum(@Element float v) {
    int sign = (v > 0 ? 1 : 0) - (v < 0 ? 1 : 0);
    return sign == 0 ? v : sign; // zeros and NaN
  }

  /** {@code Math.copySign(v, sign)}; the sign of NaN is positive, as in {@link StrictMath}. */
  public static @Element float copySign(@Element float v, @Element float sign) {
    return Math.abs(v) * (1 - 2 * isNegative(sign));
  }

  /** {@code Math.rint(v)}: the nearest integer, of two the even one. */
  public static double rint(double v) {
    double size = Math.abs(v);
    double rounded = size + 0x1p52 - 0x1p52;
    double whole = size < 0x1p52 ? rounded : size;
    return whole * (1 - 2 * isNegative(v));
  }

  /** {@code Math.round(v)}: the nearest int, of two the larger one; 0 for NaN. */
  public static int round(float v) {
    return Scalars.toInt(Scalars.floor((double) v + 0.5));
  }

  /** {@code Math.round(v)}: the nearest long, of two the larger one; 0 for NaN. */
  public static long round(double v) {
    double below = Scalars.floor(v);
    double rest = v - below;
    return Scalars.toLong(below + (rest < 0.5 ? 0 : 1));
  }

  /** {@code a % b}: exact, with the sign of {@code a}. */
  public static float remainder(float a, float b) {
    return (float) remainder((double) a, (double) b);
  }

  /**
   * {@code a % b}: exact, with the sign of {@code a}; NaN if {@code b} is 0 or {@code a} infinite.
   */
  public static double remainder(double a, double b) {
    double zero = (a - a) / Math.abs(b); // NaN where the remainder is
    int isDivided = (zero == 0 ? 1 : 0) & (b - b == 0 ? 1 : 0);
    double divisor = isDivided == 1 ? Math.abs(b) : 1;
    double rest = isDivided == 1 ? Math.abs(a) : 0;
    double multiple = divisor;
    int steps = 0;
    while (multiple < rest * (1 / STEP)) {
      multiple = multiple * STEP;
      steps = steps + 1;
    }
    while (steps > -1) {
      double quotient = rest / multiple + 0x1p52 - 0x1p52;
      double next = Math.fma(-quotient, multiple, rest);
      rest = next < 0 ? next + multiple : next;
      multiple = multiple * (1 / STEP);
      steps = steps - 1;
    }
    double undivided = zero == 0 ? a : zero; // a finite number by an infinite one
    double divided = IntegerMethods.isNever(steps) ? a : rest * (1 - 2 * isNegative(a));
    return isDivided == 1 ? divided : undivided;
  }

  /** {@code Float.floatToIntBits(v)}. */
  public static int floatToIntBits(float v) {
    return (int) Scalars.bits(v);
  }

  /** {@code Float.floatToIntBits(v)}: all NaN have the same bits. */
  public static int floatToRawIntBits(float v) {
    return (int) Scalars.bits(v);
  }

  /** {@code Float.intBitsToFloat(bits)}. */
  public static float intBitsToFloat(int bits) {
    return Scalars.ofBits(bits, 0f);
  }

  /** {@code Double.doubleToLongBits(v)}. */
  public static long doubleToLongBits(double v) {
    return Scalars.bits(v);
  }

  /** {@code Double.doubleToLongBits(v)}: all NaN have the same bits. */
  public static long doubleToRawLongBits(double v) {
    return Scalars.bits(v);
  }

  /** {@code Double.longBitsToDouble(bits)}. */
  public static double longBitsToDouble(long bits) {
    return Scalars.ofBits(bits, 0d);
  }

  /** An infinite constant of the sign of {@code one}, 1 or -1. */
  public static @Element float infinity(@Element float one) {
    return Math.fma(one, Float.MAX_VALUE, one * Float.MAX_VALUE);
  }

  /** The constant NaN, where {@code one} is 1. */
  public static @Element float notANumber(@Element float one) {
    return Math.fma(infinity(one), one - one, one);
  }
}
