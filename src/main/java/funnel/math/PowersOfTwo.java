package funnel.math;

import funnel.kernel.Scalars;

/**
 * Floating-point numbers taken apart and put together, by their bits.
 *
 * <p>Devices cannot reinterpret bits. There, Funnel replaces these methods by those of {@link
 * Scalars} with the same names and the same results.
 *
 * {@snippet class="funnel.docs.MathSnippets" region="parts"}
 */
public final class PowersOfTwo {

  private static final int BIAS = 1023;
  private static final int FRACTION_BITS = 52;

  /** The bits of the least number above sqrt(1/2). */
  private static final long ABOVE_ROOT = 0x3fe6a09e667f3bceL;

  private PowersOfTwo() {}

  /** 2 to a power from -1022 to 1023. */
  private static double normal(int exponent) {
    return Double.longBitsToDouble((long) (exponent + BIAS) << FRACTION_BITS);
  }

  /** 2 to a power from -160 to 143. */
  public static double power(int exponent) {
    return normal(exponent);
  }

  /**
   * {@code Math.scalb(v, exponent)}, rounded once, for {@code v} from 1/8 to 8 or NaN, and
   * exponents from -1152 to 1032.
   */
  public static double scale(double v, int exponent) {
    int half = exponent >> 1;
    return v * normal(half) * normal(exponent - half);
  }

  /** {@code Math.getExponent(v)}, but of the number itself if it is subnormal; v positive. */
  public static int exponent(double v) {
    boolean isSubnormal = v < Double.MIN_NORMAL;
    double normal = isSubnormal ? v * 0x1p54 : v;
    int biased = (int) (Double.doubleToRawLongBits(normal) >>> FRACTION_BITS);
    return biased - (isSubnormal ? BIAS + 54 : BIAS);
  }

  /** {@code v} divided by the power of two of its exponent: at least 1, below 2; v positive. */
  public static double mantissa(double v) {
    double normal = v < Double.MIN_NORMAL ? v * 0x1p54 : v;
    long fraction = Double.doubleToRawLongBits(normal) & ((1L << FRACTION_BITS) - 1);
    return Double.longBitsToDouble(fraction | (long) BIAS << FRACTION_BITS);
  }

  /** The exponent of the power of two that {@link #centred(double)} divides by; v positive. */
  public static int centredExponent(double v) {
    boolean isSubnormal = v < Double.MIN_NORMAL;
    double normal = isSubnormal ? v * 0x1p54 : v;
    int exponent = (int) ((Double.doubleToRawLongBits(normal) - ABOVE_ROOT) >> FRACTION_BITS);
    return isSubnormal ? exponent - 54 : exponent;
  }

  /** {@code v} divided by a power of two: above sqrt(1/2), at most sqrt(2); v positive. */
  public static double centred(double v) {
    double normal = v < Double.MIN_NORMAL ? v * 0x1p54 : v;
    long bits = Double.doubleToRawLongBits(normal);
    return Double.longBitsToDouble(bits - ((bits - ABOVE_ROOT) & -(1L << FRACTION_BITS)));
  }

  /** As {@link #centredExponent(double)}. */
  public static int centredExponent(float v) {
    return centredExponent((double) v);
  }

  /** As {@link #centred(double)}. */
  public static float centred(float v) {
    return (float) centred((double) v);
  }
}
