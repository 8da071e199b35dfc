package funnel.math;

/** Rounding and signs, exactly as Java's. */
final class Rounding {

  /* The sum of a number below 2^52 and 2^52 is rounded to an integer, a tie to the even one. The rest
   * of a number is exact; a tie that went down has the rest 1/2, and Math.round takes it up.
   */

  private Rounding() {}

  static double rint(double x) {
    double size = Math.abs(x);
    double whole = (size + 0x1p52) - 0x1p52;
    double signed = x < 0 ? -whole : whole;
    double result = size < 0x1p52 ? signed : x;
    return x == 0 ? x : result;
  }

  /** Math.round(x), before it is converted. */
  static double round(double x) {
    double even = rint(x);
    return x - even == 0.5 ? even + 1 : even;
  }

  static double signum(double x) {
    double positive = x > 0 ? 1 : x;
    return x < 0 ? -1 : positive;
  }

  static double copySign(double magnitude, double sign) {
    double size = Math.abs(magnitude);
    return InverseCircular.isNegative(sign) == 1 ? -size : size;
  }
}
