package funnel.transform;

/** Casts to integers, for kernels. */
final class Casts {

  /* Casts of NaN, infinities and numbers out of range differ on devices. Longs are computed in
   * pieces, since the cuda backend converts to them by way of ints.
   */

  private Casts() {}

  /** The number itself. */
  public static int toInt(int v) {
    return v;
  }

  /** {@code (int) v}. */
  public static int toInt(long v) {
    return (int) v;
  }

  /** {@code (int) v}: rounds towards 0; the nearest int for a number out of range, 0 for NaN. */
  public static int toInt(float v) {
    float low = v > -0x1p31f ? v : -0x1p31f;
    int inRange = (int) (low < 0x1p31f ? low : 0f);
    int large = v < 0x1p31f ? inRange : Integer.MAX_VALUE;
    return v == v ? large : 0;
  }

  /** {@code (int) v}: rounds towards 0; the nearest int for a number out of range, 0 for NaN. */
  public static int toInt(double v) {
    double low = v > -0x1p31 ? v : -0x1p31;
    int inRange = (int) (low < 0x1p31 ? low : 0d);
    int large = v < 0x1p31 ? inRange : Integer.MAX_VALUE;
    return v == v ? large : 0;
  }

  /** The number itself. */
  public static long toLong(int v) {
    return v;
  }

  /** The number itself. */
  public static long toLong(long v) {
    return v;
  }

  /** {@code (long) v}: rounds towards 0; the nearest long for a number out of range, 0 for NaN. */
  public static long toLong(float v) {
    return toLong((double) v);
  }

  /** {@code (long) v}: rounds towards 0; the nearest long for a number out of range, 0 for NaN. */
  public static long toLong(double v) {
    double size = v < 0d ? -v : v;
    double inRange = size < 0x1p63 ? size : 0d;
    int high = (int) (inRange * 0x1p-42);
    double below = inRange - high * 0x1p42;
    int middle = (int) (below * 0x1p-21);
    int low = (int) (below - middle * 0x1p21);
    long sum = ((long) high << 42) + ((long) middle << 21) + low;
    long positive = size < 0x1p63 ? sum : Long.MAX_VALUE;
    long negative = size < 0x1p63 ? 0L - sum : Long.MIN_VALUE;
    long number = v < 0d ? negative : positive;
    return v == v ? number : 0L;
  }
}
