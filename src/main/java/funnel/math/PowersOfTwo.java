package funnel.math;

import funnel.kernel.Scalars;

/**
 * Floating-point numbers taken apart and put together, by their bits.
 *
 * <p>Devices cannot reinterpret bits. There, Funnel replaces these methods by those of {@link
 * Scalars} with the same names and the same results.
 */
public final class PowersOfTwo {

  private static final int BIAS = 1023;
  private static final int FRACTION_BITS = 52;

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

  /** As {@link #exponent(double)}. */
  public static int exponent(float v) {
    return exponent((double) v);
  }

  /** As {@link #mantissa(double)}. */
  public static float mantissa(float v) {
    return (float) mantissa((double) v);
  }
}
