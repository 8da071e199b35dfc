package funnel.transform;

/** The values of {@link Bijection#at} for consecutive numbers, on the JVM. */
final class BijectionBlock {

  /* The rounds of one number depend on each other. So all numbers of a block go through a round
   * together, in a loop over arrays that C2 vectorizes. Those outside the length repeat all rounds,
   * at the arrays' start.
   */

  /** The maximum number of numbers in a block. */
  static final int MOST = 1 << 11;

  private final int length;
  private final long key;
  private final int low;
  private final int maskLow;
  private final int maskHigh;
  private final int[] high;
  private final int[] rest;
  private final int[] indices;

  /**
   * Blocks of the permutation of a key.
   *
   * @param most the maximum number of numbers at a time
   */
  BijectionBlock(int length, long key, int most) {
    int bits = Bijection.bits(length);
    this.length = length;
    this.key = key;
    low = (bits + 1) >> 1;
    maskLow = (1 << low) - 1;
    maskHigh = (1 << (bits - low)) - 1;
    high = new int[most];
    rest = new int[most];
    indices = new int[most];
  }

  /** Sets {@code places} to the places of {@code count} numbers from {@code first} on. */
  void at(int first, int count, int[] places) {
    for (int k = 0; k < count; k++) {
      high[k] = (first + k) >> low;
      rest[k] = (first + k) & maskLow;
      indices[k] = k;
    }
    for (int left = count; left > 0; left = inside(left, places)) {
      int a = (int) key;
      int b = (int) (key >> 32);
      for (int j = 0; j < Bijection.ROUNDS; j += 2) {
        round(high, maskHigh, rest, left, a, b);
        a += Bijection.STEP;
        b += Bijection.OTHER_STEP;
        round(rest, maskLow, high, left, a, b);
        a += Bijection.STEP;
        b += Bijection.OTHER_STEP;
      }
    }
  }

  private static void round(int[] part, int mask, int[] by, int count, int a, int b) {
    for (int k = 0; k < count; k++) {
      part[k] ^= Bijection.random(by[k], a, b) & mask;
    }
  }

  /** Stores places, keeps the numbers that are still outside, and returns their count. */
  private int inside(int count, int[] places) {
    int left = 0;
    for (int k = 0; k < count; k++) {
      int at = (high[k] << low) | rest[k];
      int index = indices[k];
      places[index] = at;
      high[left] = high[k];
      rest[left] = rest[k];
      indices[left] = index;
      left += at < length ? 0 : 1;
    }
    return left;
  }
}
