package funnel.jit;

/**
 * The value of an element in JVM loops, equal to {@code Scalars.value} (255 for the byte -1); for
 * bytes in the form that the JVM's compiler optimizes best, which is wrong in kernels. Comparisons,
 * with results -1, 0 or 1 as in {@code Scalars}, also have such a form.
 */
public final class JvmValues {

  private JvmValues() {}

  /** The value of an unsigned byte, 0 to 255. */
  public static int of(byte element) {
    return element & 0xff;
  }

  /** The element itself. */
  public static int of(int element) {
    return element;
  }

  /** The element itself. */
  public static long of(long element) {
    return element;
  }

  /** The element itself. */
  public static float of(float element) {
    return element;
  }

  /** The element itself. */
  public static double of(double element) {
    return element;
  }

  /** {@code Integer.compare(a, b)}. */
  public static int compare(int a, int b) {
    return Integer.compare(a, b);
  }

  /** {@code Long.compare(a, b)}. */
  public static int compare(long a, long b) {
    return Long.compare(a, b);
  }

  /** {@code Float.compare(a, b)}. */
  public static int compare(float a, float b) {
    return Float.compare(a, b);
  }

  /** {@code Double.compare(a, b)}. */
  public static int compare(double a, double b) {
    return Double.compare(a, b);
  }
}
