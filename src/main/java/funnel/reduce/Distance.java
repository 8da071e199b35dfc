package funnel.reduce;

/**
 * Distances between elements as doubles, each rounded once: of 3 from 5 it is -2.0.
 *
 * <p>Distances keep the digits that numbers far from zero would lose as doubles: of the longs 2^62
 * + 3 and 2^62 it is 3.0. One that is greater than the largest double is infinite, and that of NaN
 * is NaN. Functions of elements may call these methods on every engine.
 *
 * {@snippet class="funnel.docs.ReduceSnippets" region="distance"}
 */
public final class Distance {

  /* The difference of two longs may need 65 bits. Those of their upper and of their lower halves are
   * exact as doubles, so that only their sum is rounded. No product means that no device can fuse
   * anything.
   */

  private static final long LOW = 0xffffffffL;

  private Distance() {}

  /** The distance of an int from another one. */
  public static double of(int element, int origin) {
    return (double) element - origin;
  }

  /** The distance of a long from another one. */
  public static double of(long element, long origin) {
    long low = element & LOW;
    long lowOrigin = origin & LOW;
    double high = (double) (element - low) - (double) (origin - lowOrigin);
    return high + ((double) low - (double) lowOrigin);
  }

  /** The distance of a float from another one. */
  public static double of(float element, float origin) {
    return (double) element - origin;
  }

  /** The distance of a double from another one. */
  public static double of(double element, double origin) {
    return element - origin;
  }

  /** The distance between two elements of one type, as boxed numbers; a {@link Long} is exact. */
  public static double of(Number element, Number origin) {
    return element instanceof Long
        ? of(element.longValue(), origin.longValue())
        : of(element.doubleValue(), origin.doubleValue());
  }

  /**
   * The power of two by which distances are divided, so that their squares neither overflow nor
   * vanish: 4 for 7.0. That of 0 is 1. After {@code ufp} of Rump, Ogita and Oishi, <i>Accurate
   * Floating-Point Summation Part I</i>, 2008.
   *
   * @param farthest the largest distance
   */
  public static double unit(double farthest) {
    double scale = farthest > 0x1p900 ? 0x1p-100 : farthest < 0x1p-900 ? 0x1p100 : 1;
    double q = farthest * scale * (0x1p52 + 1);
    return farthest == 0 ? 1 : (q - (1 - 0x1p-53) * q) / scale;
  }
}
