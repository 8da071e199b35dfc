package funnel.transform;

import funnel.kernel.Scalars;

/** Numbers of 16 bits, for kernels. */
final class Halves {

  /* Devices have no instruction for the bits of a float. Powers of two are exact, and so are all
   * products with them, but for the last one, which is infinite for the largest exponent.
   */

  private Halves() {}

  /** The integer of 16 bits; {@code like} selects the type. */
  public static int widened(int bits, int signed, int like) {
    return signed == 1 ? (bits ^ 0x8000) - 0x8000 : bits;
  }

  /** {@code Float.float16ToFloat}; {@code like} selects the type. */
  public static float widened(int bits, int signed, float like) {
    int biased = (bits >> 10) & 31;
    int mantissa = bits & 1023;
    int normal = biased > 0 ? 1 : 0;
    int top = biased > 30 ? 1 : 0;
    float power = 1 << (biased + 1 - normal - top);
    float size = (mantissa + (normal << 10)) * 0x1p-25f * power * (top > 0 ? 0x1p127f : 1f);
    size = (top > 0 & mantissa > 0) ? size - size : size;
    return size * (1 - 2 * ((bits >> 15) & 1));
  }

  /** The low 16 bits, and others. */
  public static int narrowed(int value) {
    return value;
  }

  /** {@code Float.floatToFloat16}; 0x7e00 for NaN. */
  public static int narrowed(float value) {
    int bits = (int) Scalars.bits(value);
    int sign = (bits >> 16) & 0x8000;
    int size = bits & 0x7fffffff;
    int rebased = size - (112 << 23);
    int normal = (rebased + 0xfff + ((rebased >> 13) & 1)) >> 13;
    float absolute = value < 0f ? -value : value;
    int small = (int) ((Scalars.min(absolute, 1f) + 0.5f - 0.5f) * 0x1p24f);
    int finite = size < 0x38800000 ? small : normal;
    int half = size < 0x47800000 ? finite : 0x7c00;
    return value == value ? sign | half : 0x7e00;
  }
}
