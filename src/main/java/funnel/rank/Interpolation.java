package funnel.rank;

/** The formula of interpolation, in two steps, for {@link Quantiles#between} and for kernels. */
final class Interpolation {

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

  /** The distance from the nearer of the two numbers, scaled. */
  static double product(double first, double second, double weight) {
    double scale = scale(first, second);
    return (second * scale - first * scale) * (weight < 0.5 ? weight : 1 - weight);
  }

  /** The number between two others, the second of which is not less. */
  static double between(double first, double second, double weight, double product) {
    double scale = scale(first, second);
    double near = weight < 0.5 ? first * scale : second * scale;
    double sum = near + (weight < 0.5 ? product : -product);
    double between =
        second * scale - first * scale > Double.MAX_VALUE ? first + second : sum / scale;
    return first == second | weight == 0 ? first : between;
  }
}
