package funnel.rank;

import java.util.List;

/**
 * The ranks to find among elements in their order; rank 0 is the first.
 *
 * <p>The first 3 of 5 elements end at rank 2; their median is at rank 2 too.
 *
 * @param first how many first elements to find, or 0 for quantiles
 * @param isInterpolated whether to find the ranks on both sides of each
 */
record Ranks(int first, boolean isDescending, List<Double> quantiles, boolean isInterpolated) {

  private static final int FRACTION_BITS = 52;
  static final int INTS = 3;

  /** How many of a quantile's 53 bits are in its second int. */
  static final int LOW_BITS = 26;

  static Ranks first(int first, boolean isDescending) {
    return new Ranks(first, isDescending, List.of(), false);
  }

  static Ranks of(List<Double> quantiles, boolean isInterpolated) {
    return new Ranks(0, false, quantiles, isInterpolated);
  }

  boolean isFirst() {
    return first > 0;
  }

  int count() {
    return isFirst() ? 1 : quantiles.size() * (isInterpolated ? 2 : 1);
  }

  /** The largest number of ranges of neighbouring ranks. */
  int ranges() {
    return isFirst() ? 1 : quantiles.size();
  }

  /**
   * The number of elements to find among {@code length}: at most one per rank, or the first ones.
   */
  int wanted(long length) {
    return isFirst() ? (int) Math.min(first, length) : length > 0 ? count() : 0;
  }

  /* IntRankSelectKernels.begin computes the same on a device, to the bit. */

  private double place(int quantile, long length) {
    return quantiles.get(quantile) * (isInterpolated ? length - 1 : length);
  }

  /** A rank among a number of elements, at least one. */
  long at(int i, long length) {
    if (isFirst()) {
      return wanted(length) - 1;
    }
    if (isInterpolated) {
      return Math.min((long) place(i / 2, length) + i % 2, length - 1);
    }
    return Math.clamp((long) Math.ceil(place(i, length)) - 1, 0, length - 1);
  }

  /** The distance of an interpolated quantile from the rank below it. */
  double weight(int quantile, long length) {
    double place = place(quantile, length);
    return place - (long) place;
  }

  /** A quantile as non-negative ints: {@code (a * 2^26 + b) / 2^c}. */
  static int[] ints(double quantile) {
    long bits = Double.doubleToRawLongBits(quantile);
    int exponent = (int) (bits >>> FRACTION_BITS);
    long fraction = bits & ((1L << FRACTION_BITS) - 1);
    long all = exponent > 0 ? fraction | 1L << FRACTION_BITS : fraction;
    return new int[] {
      (int) (all >>> LOW_BITS), (int) (all & ((1 << LOW_BITS) - 1)), 1075 - Math.max(exponent, 1)
    };
  }
}
