package funnel.transform;

import funnel.kernel.Scalars;

/**
 * The numbers that {@link java.util.SplittableRandom} computes from a state, on devices too. Guy L.
 * Steele Jr., Doug Lea and Christine H. Flood, "Fast splittable pseudorandom number generators",
 * OOPSLA 2014.
 */
final class SplitMix {

  /** The difference between consecutive states. */
  static final long GAMMA = 0x9e3779b97f4a7c15L;

  private SplitMix() {}

  /**
   * {@code v >>> distance}, to which the JVM's compiler reduces it too; the distance is a constant.
   */
  private static long right(long v, int distance) {
    return (v >> distance) & ((1L << (Long.SIZE - distance)) - 1);
  }

  /** {@code nextLong()}. */
  static long mix64(long state) {
    long z = (state ^ right(state, 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ right(z, 27)) * 0x94d049bb133111ebL;
    return z ^ right(z, 31);
  }

  /** {@code nextInt()}. */
  static int mix32(long state) {
    long z = (state ^ right(state, 33)) * 0x62a9d9ed799705f5L;
    z = (z ^ right(z, 28)) * 0xcb24d0a5c88c35b3L;
    return (int) right(z, 32);
  }

  /** {@code nextInt()}; {@code like} selects the type, as for the others. */
  static int value(long state, int like) {
    return mix32(state);
  }

  /** {@code nextLong()}. */
  static long value(long state, long like) {
    return mix64(state);
  }

  /** {@code nextFloat()}: a multiple of 2^-24 from 0 below 1. */
  static float value(long state, float like) {
    return Scalars.logicalShiftRight(mix32(state), 8) * 0x1p-24f;
  }

  /** {@code nextDouble()}: a multiple of 2^-53 from 0 below 1. */
  static double value(long state, double like) {
    return right(mix64(state), 11) * 0x1p-53;
  }
}
