package funnel.select;

/**
 * Whether two elements differ according to {@code equals} of their boxes; for kernels and loops.
 */
final class Differs {

  /* Comparisons give ints that are joined by & and |, since the cuda backend loses negations of
   * comparisons. Dividing one by zeros distinguishes their signs.
   */

  private Differs() {}

  static int of(int a, int b) {
    return a == b ? 0 : 1;
  }

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

  /* On the JVM bits can be compared, and a division would take longer. NaN may have
   * different bits; making them canonical first takes twice as long as this comparison.
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
