package funnel.transform;

import funnel.kernel.Scalars;

/** A random permutation of the numbers below a length, one number at a time, on devices too. */
final class Bijection {

  /* A Feistel network on the numbers of some bits, of which there are more than the length and at
   * most twice as many: round by round, either part takes random bits that the other one chooses.
   * What is not below the length goes through it again until it is (J. Black and P. Rogaway,
   * "Ciphers with arbitrary finite domains", CT-RSA 2002), which keeps it a permutation. After R.
   * Mitchell, D. Stokes, E. Frank and G. Holmes, "Bandwidth-optimal random shuffling for GPUs", ACM
   * TOPC 2022, whose round function is another one.
   *
   * Round j of part v is number j * 2^32 + v of the SplittableRandom of the key. Of fewer than 6
   * bits, 12 rounds leave orders that are visibly more frequent than others; and as rounds of more
   * bits are even permutations, there must be at least one number beyond the length.
   */

  private static final int ROUNDS = 12;
  private static final int LEAST_BITS = 6;

  private Bijection() {}

  /** The key that belongs to a seed. */
  static long key(long seed) {
    return SplitMix.mix64(seed + SplitMix.GAMMA);
  }

  /** Bits of numbers, of which there are more than a length. */
  static int bits(int length) {
    int bits = LEAST_BITS;
    for (int k = LEAST_BITS; k < 31; k++) {
      bits += Scalars.shiftRight(length, k) > 0 ? 1 : 0;
    }
    return bits;
  }

  /** Where {@code i} below {@code length} goes. */
  static int at(int i, int length, int bits, long key) {
    int low = (bits + 1) >> 1;
    int maskLow = Scalars.shiftLeft(1, low) - 1;
    int maskHigh = Scalars.shiftLeft(1, bits - low) - 1;
    int at = i;
    int isOutside = 1;
    while (isOutside == 1) {
      int high = Scalars.shiftRight(at, low);
      int rest = at & maskLow;
      for (int j = 0; j < ROUNDS; j += 2) {
        high = high ^ (random(key, j, rest) & maskHigh);
        rest = rest ^ (random(key, j + 1, high) & maskLow);
      }
      at = Scalars.shiftLeft(high, low) | rest;
      isOutside = at < length ? 0 : 1;
    }
    return at;
  }

  private static int random(long key, int round, int part) {
    long counter = ((long) round << 32) + part;
    return SplitMix.mix32(key + (counter + 1L) * SplitMix.GAMMA);
  }
}
