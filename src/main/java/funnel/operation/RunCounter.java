package funnel.operation;

/**
 * The counter after every result on a device: the last kernel of a primitive adds one to it in each
 * run, so that the host notices a launch or a copy that did not take place.
 *
 * <p>TornadoVM prints errors of the driver and continues; without the counter a stale result would
 * look like a fresh one.
 *
 * <p>In the example of {@link Primitive}:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="kernel"}
 */
public final class RunCounter {
  /** The largest value; the next one is 0. Small enough to be exact in a float. */
  public static final int LAST = (1 << 20) - 1;

  private RunCounter() {}

  /** The counter's value after {@code runs} runs. */
  public static int after(long runs) {
    return (int) (runs % (LAST + 1));
  }

  /** For kernels: the counter's next value, one more, or 0 after {@link #LAST}. */
  public static int next(int value) {
    int runs = value + 1;
    return runs > LAST ? 0 : runs;
  }

  /** For kernels: the next value of a counter in an array of longs. */
  public static long next(long value) {
    long runs = value + 1;
    return runs > LAST ? 0 : runs;
  }

  /** For kernels: the next value of a counter in an array of floats. */
  public static float next(float value) {
    float runs = value + 1;
    return runs > LAST ? 0 : runs;
  }

  /** For kernels: the next value of a counter in an array of doubles. */
  public static double next(double value) {
    double runs = value + 1;
    return runs > LAST ? 0 : runs;
  }
}
