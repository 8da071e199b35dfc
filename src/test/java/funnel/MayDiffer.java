package funnel;

/**
 * A function of which a device may give other bits: in a nest of its own, so that the JVM rejects a
 * copy of it, and calls the JDK's pow.
 */
public final class MayDiffer {

  private MayDiffer() {}

  /** The number itself, to a few units in its last place; call it beside a captured value. */
  public static float power(float v) {
    return (float) Math.pow(v, 1) + nothing(v);
  }

  private static float nothing(float v) {
    return v - v;
  }
}
