package funnel.transform;

import funnel.kernel.Scalars;

/** A random permutation of the numbers below a length, one number at a time, on devices too. */
final class Bijection {

  /* A Feistel network on the numbers of some bits, of which there are more than the length and at
   * most twice as many: round by round, either part is changed by random bits that the other one
   * selects. A number that is not below the length goes through it again until it is (J. Black and
   * P. Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002), which keeps it a
   * permutation. After R. Mitchell, D. Stokes, E. Frank and G. Holmes, "Bandwidth-optimal random
   * shuffling for GPUs", ACM TOPC 2022, whose round function is different.
   *
   * The round function is the "lowbias32" of C. Wellons ("Prospecting for hash functions", 2018)
   * with two keys of the round, which are the halves of the key and grow from round to round:
   * products of ints are cheap on devices, and become vectors on the JVM. With fewer than 6 bits,
   * some orders would be visibly more frequent than others after 12 rounds; and since rounds of
   * more bits are even permutations, there must be at least one number beyond the length.
   */

  static final int ROUNDS = 12;

  /** The difference between the keys of consecutive rounds. */
  static final int STEP = 0x9e3779b9;

  static final int OTHER_STEP = 0x85ebca6b;
  private static final int LEAST_BITS = 6;

  private Bijection() {}

  /** The key of a seed. */
  static long key(long seed) {
    return SplitMix.mix64(seed + SplitMix.GAMMA);
  }

  /** The number of bits of the permuted numbers, of which there are more than {@code length}. */
  static int bits(int length) {
    int bits = LEAST_BITS;
    for (int k = LEAST_BITS; k < 31; k++) {
      bits += Scalars.shiftRight(length, k) > 0 ? 1 : 0;
    }
    return bits;
  }

  /** The place of {@code i}, which is below {@code length}. */
  static int at(int i, int length, int bits, long key) {
    int low = (bits + 1) >> 1;
    int maskLow = Scalars.shiftLeft(1, low) - 1;
    int maskHigh = Scalars.shiftLeft(1, bits - low) - 1;
    int at = i;
    int isOutside = 1;
    while (isOutside == 1) {
      int high = Scalars.shiftRight(at, low);
      int rest = at & maskLow;
      int a = (int) key;
      int b = (int) (key >> 32);
      for (int j = 0; j < ROUNDS; j += 2) {
        high = high ^ (random(rest, a, b) & maskHigh);
        a += STEP;
        b += OTHER_STEP;
        rest = rest ^ (random(high, a, b) & maskLow);
        a += STEP;
        b += OTHER_STEP;
      }
      at = Scalars.shiftLeft(high, low) | rest;
      isOutside = at < length ? 0 : 1;
    }
    return at;
  }

  /** Random bits from one part, by the keys of a round, to change the other part. */
  static int random(int part, int a, int b) {
    int x = part ^ a;
    x = (x ^ Scalars.logicalShiftRight(x, 16)) * 0x7feb352d;
    x = (x ^ Scalars.logicalShiftRight(x, 15) ^ b) * 0x846ca68b;
    return x ^ Scalars.logicalShiftRight(x, 16);
  }
}
