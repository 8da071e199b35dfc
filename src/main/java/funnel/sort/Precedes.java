package funnel.sort;

/**
 * Whether an element comes before another one in ascending order, that of {@code Float.compare}:
 * -0.0 before 0.0, NaN after all numbers, and all NaN equal. For kernels, and in another form for
 * loops.
 */
final class Precedes {

  private Precedes() {}

  /** 1 if {@code a} comes before {@code b}, else 0. */
  static int of(int a, int b) {
    return a < b ? 1 : 0;
  }

  /** 1 if {@code a} comes before {@code b}, else 0. */
  static int of(long a, long b) {
    return a < b ? 1 : 0;
  }

  /** 1 if {@code a} comes before {@code b}, else 0. */
  static int of(float a, float b) {
    int isNumber = a == a ? 1 : 0;
    int precedes = (a < b ? 1 : 0) | (isNumber & (b == b ? 0 : 1));
    if (a == 0f & b == 0f) { // only then, since divisions are slow
      precedes = 1f / a < 1f / b ? 1 : 0;
    }
    return precedes;
  }

  /** 1 if {@code a} comes before {@code b}, else 0. */
  static int of(double a, double b) {
    int isNumber = a == a ? 1 : 0;
    int precedes = (a < b ? 1 : 0) | (isNumber & (b == b ? 0 : 1));
    if (a == 0d & b == 0d) {
      precedes = 1d / a < 1d / b ? 1 : 0;
    }
    return precedes;
  }

  /* On the JVM, without branches, which would be mispredicted. */

  static int onJvm(int a, int b) {
    return a < b ? 1 : 0;
  }

  static int onJvm(long a, long b) {
    return a < b ? 1 : 0;
  }

  static int onJvm(float a, float b) {
    return word(a) < word(b) ? 1 : 0;
  }

  static int onJvm(double a, double b) {
    return word(a) < word(b) ? 1 : 0;
  }

  private static int word(float value) {
    return KeyWords.merged(KeyWords.word(Float.floatToRawIntBits(value)));
  }

  private static long word(double value) {
    return KeyWords.merged(KeyWords.word(Double.doubleToRawLongBits(value)));
  }
}
