package funnel.reduce;

/** Distances between elements as doubles, each rounded once: of 3 from 5 it is -2.0. */
final class Distance {

  /* The difference of two longs may need 65 bits. Those of their upper and of their lower halves are
   * exact as doubles, so that only their sum is rounded. No product means that no device can fuse
   * anything.
   */

  private static final long LOW = 0xffffffffL;

  private Distance() {}

  static double of(int element, int origin) {
    return (double) element - origin;
  }

  static double of(long element, long origin) {
    long low = element & LOW;
    long lowOrigin = origin & LOW;
    double high = (double) (element - low) - (double) (origin - lowOrigin);
    return high + ((double) low - (double) lowOrigin);
  }

  static double of(float element, float origin) {
    return (double) element - origin;
  }

  static double of(double element, double origin) {
    return element - origin;
  }

  /** The distance between two elements of one type. */
  static double of(Number element, Number origin) {
    return element instanceof Long
        ? of(element.longValue(), origin.longValue())
        : of(element.doubleValue(), origin.doubleValue());
  }
}
