package funnel.rank;

/**
 * The formula of {@link Quantiles#between} in two steps, for functions on a device: it would fuse
 * the product with the sum after it, and so change the bits, if an array did not hold the product.
 *
 * <p>Between 1 and 3 with the weight 0.25 the product is 0.5 and the result 1.5.
 *
 * {@snippet class="funnel.docs.RankSnippets" region="quantiles"}
 */
public final class Interpolation {

  /* The difference of two finite numbers may overflow. Then both are halved, and the result is
   * doubled: these products are exact, so that a device may fuse them with a sum. The product with
   * the weight is not, so a kernel stores it and reads it again. If half the difference is infinite
   * too, so is one of the numbers, and their sum is what lies between them.
   *
   * Infinities are found by comparisons, which are false for NaN: an infinity as a constant does not
   * compile on every backend.
   */

  private Interpolation() {}

  private static double scale(double first, double second) {
    return second - first > Double.MAX_VALUE ? 0.5 : 1;
  }

  /**
   * The distance from the nearer of two numbers; half of it if the whole is no finite double.
   *
   * @param first a number
   * @param second a number that is not less
   * @param weight the share of the second, from 0 below 1
   */
  public static double product(double first, double second, double weight) {
    double scale = scale(first, second);
    return (second * scale - first * scale) * (weight < 0.5 ? weight : 1 - weight);
  }

  /**
   * The number between two others.
   *
   * @param first a number
   * @param second a number that is not less
   * @param weight the share of the second, from 0 below 1
   * @param product what {@link #product} gives for them
   */
  public static double between(double first, double second, double weight, double product) {
    double scale = scale(first, second);
    double near = weight < 0.5 ? first * scale : second * scale;
    double sum = near + (weight < 0.5 ? product : -product);
    double between =
        second * scale - first * scale > Double.MAX_VALUE ? first + second : sum / scale;
    return first == second | weight == 0 ? first : between;
  }
}
