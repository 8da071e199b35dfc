package funnel.select;

/** Whether two elements differ, as {@code equals} of their boxes says; for kernels and loops. */
final class Differs {

  /* As ints that are joined by & and |, since the cuda backend loses negations of comparisons. The
   * signs of zeros are told apart by what one divided by them is.
   */

  private Differs() {}

  /** 1 if they differ, else 0. */
  static int of(int a, int b) {
    return a == b ? 0 : 1;
  }

  /** 1 if they differ, else 0. */
  static int of(long a, long b) {
    return a == b ? 0 : 1;
  }

  /** 1 if they differ, else 0: NaN does not differ from NaN, but 0.0 from -0.0. */
  static int of(float a, float b) {
    int equal = a == b ? 1 : 0;
    int areZeros = equal & (a == 0f ? 1 : 0);
    int haveOneSign = 1f / a == 1f / b ? 1 : 0;
    int areNaN = (a != a ? 1 : 0) & (b != b ? 1 : 0);
    return 1 - ((equal & ((1 - areZeros) | haveOneSign)) | areNaN);
  }

  /** 1 if they differ, else 0: NaN does not differ from NaN, but 0.0 from -0.0. */
  static int of(double a, double b) {
    int equal = a == b ? 1 : 0;
    int areZeros = equal & (a == 0d ? 1 : 0);
    int haveOneSign = 1d / a == 1d / b ? 1 : 0;
    int areNaN = (a != a ? 1 : 0) & (b != b ? 1 : 0);
    return 1 - ((equal & ((1 - areZeros) | haveOneSign)) | areNaN);
  }

  /* The same for the JVM, where bits can be compared and a division takes longer. Bits of one NaN are
   * not those of another; making them so first, of both, takes twice as long as the comparison.
   */

  static boolean onJvm(int a, int b) {
    return a != b;
  }

  static boolean onJvm(long a, long b) {
    return a != b;
  }

  static boolean onJvm(float a, float b) {
    return Float.floatToRawIntBits(a) != Float.floatToRawIntBits(b)
        && !(Float.isNaN(a) && Float.isNaN(b));
  }

  static boolean onJvm(double a, double b) {
    return Double.doubleToRawLongBits(a) != Double.doubleToRawLongBits(b)
        && !(Double.isNaN(a) && Double.isNaN(b));
  }
}
