package funnel.rank;

import java.util.List;

/**
 * The ranks that are wanted among elements in their order, rank 0 the first.
 *
 * <p>Of the first 3 among 5 elements it is rank 2, and the median is at rank 2 too, the third one.
 *
 * @param first how many elements are wanted from the front, or 0: then these are quantiles
 * @param isDescending whether the largest element is the first
 * @param quantiles which ones
 * @param isInterpolated whether the ranks on both sides of each are wanted
 */
record Ranks(int first, boolean isDescending, List<Double> quantiles, boolean isInterpolated) {

  private static final int FRACTION_BITS = 52;

  /** Ints of a quantile in the shape array. */
  static final int INTS = 3;

  /** Of a quantile's 53 bits those in its second int. */
  static final int LOW_BITS = 26;

  static Ranks first(int first, boolean isDescending) {
    return new Ranks(first, isDescending, List.of(), false);
  }

  static Ranks of(List<Double> quantiles, boolean isInterpolated) {
    return new Ranks(0, false, quantiles, isInterpolated);
  }

  /** Whether elements are wanted from the front. */
  boolean isFirst() {
    return first > 0;
  }

  /** How many ranks. */
  int count() {
    return isFirst() ? 1 : quantiles.size() * (isInterpolated ? 2 : 1);
  }

  /** How many ranges of ranks next to each other there are at most. */
  int ranges() {
    return isFirst() ? 1 : quantiles.size();
  }

  /** How many elements are wanted of so many: at most one for each rank, or the first. */
  int wanted(int length) {
    return isFirst() ? Math.min(first, length) : length > 0 ? count() : 0;
  }

  /* On a device the same is in IntRankKernels.begin, to the bit. */

  private double place(int quantile, int length) {
    return quantiles.get(quantile) * (isInterpolated ? length - 1 : length);
  }

  /** A rank among so many elements, at least one. */
  int at(int i, int length) {
    if (isFirst()) {
      return wanted(length) - 1;
    }
    if (isInterpolated) {
      return Math.min((int) place(i / 2, length) + i % 2, length - 1);
    }
    return Math.clamp((int) Math.ceil(place(i, length)) - 1, 0, length - 1);
  }

  /** How far an interpolated quantile is from the rank below it. */
  double weight(int quantile, int length) {
    double place = place(quantile, length);
    return place - (int) place;
  }

  /** A quantile as ints that are not negative: {@code (a * 2^26 + b) / 2^c}. */
  static void put(double quantile, int[] shape, int at) {
    long bits = Double.doubleToRawLongBits(quantile);
    int exponent = (int) (bits >>> FRACTION_BITS);
    long fraction = bits & ((1L << FRACTION_BITS) - 1);
    long all = exponent > 0 ? fraction | 1L << FRACTION_BITS : fraction;
    shape[at] = (int) (all >>> LOW_BITS);
    shape[at + 1] = (int) (all & ((1 << LOW_BITS) - 1));
    shape[at + 2] = 1075 - Math.max(exponent, 1);
  }
}
