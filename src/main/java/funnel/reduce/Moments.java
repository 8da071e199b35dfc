package funnel.reduce;

import java.io.Serializable;

/**
 * The count of some numbers, their mean, and the sum of their squared distances from it. The
 * moments of parts combine into those of the whole.
 *
 * <p>The mean is stated as its distance from one of the numbers, the origin: for numbers far from
 * zero and close to each other, the mean itself as a double would lose digits. For 10, 12 and 17
 * with origin 10 the mean is 3.0 and the sum of squares 26.0. From an origin that is NaN or
 * infinite every distance is NaN or infinite.
 *
 * {@snippet class="funnel.docs.ReduceSnippets" region="moments"}
 *
 * <p>{@link Reduction#meanFromFirst} and {@link Reduction#variance} compute those of an array,
 * {@link funnel.group.Aggregate#meanFromFirst} and {@link funnel.group.Aggregate#variance} those of
 * groups.
 *
 * @param count how many numbers, at least one
 * @param origin one of them: a {@link Long}, or a number that a double represents
 * @param mean the mean's distance from {@code origin}
 * @param squares the sum of squared distances from the mean
 */
public record Moments(long count, Number origin, double mean, double squares)
    implements Serializable {

  /**
   * Checks the count.
   *
   * @throws IllegalArgumentException if the count is less than 1
   */
  public Moments {
    if (count < 1) {
      throw new IllegalArgumentException("count=%s: moments are of at least 1".formatted(count));
    }
  }

  /**
   * The moments of these numbers and those of {@code more} together, by the formula of Chan, Golub
   * and LeVeque (<i>Updating formulae and a pairwise algorithm for computing sample variances</i>,
   * 1979). For n numbers in all it adds at most {@code 16 sqrt(n) * 2^-53} to the relative error of
   * a variance.
   */
  public Moments and(Moments more) {
    double distance = Distance.of(more.origin, origin) + (more.mean - mean);
    long all = count + more.count;
    double share = more.count / (double) all;
    return new Moments(
        all,
        origin,
        mean + distance * share,
        squares + more.squares + distance * distance * count * share);
  }

  /** The variance: 26/3 for 10, 12 and 17. */
  public double variance() {
    return squares / count;
  }

  /** The variance with divisor count - 1: 13 for 10, 12 and 17; NaN for a single number. */
  public double sampleVariance() {
    return squares / (count - 1);
  }
}
