package funnel.math;

/** A stand-in. */
public final class ElementaryFunctions {

  private ElementaryFunctions() {}

  /** {@code StrictMath.exp}. */
  public static double exp(double v) {
    return StrictMath.exp(v);
  }

  /** {@code StrictMath.expm1}. */
  public static double expm1(double v) {
    return StrictMath.expm1(v);
  }

  /** {@code StrictMath.log}. */
  public static double log(double v) {
    return StrictMath.log(v);
  }

  /** {@code StrictMath.log1p}. */
  public static double log1p(double v) {
    return StrictMath.log1p(v);
  }

  /** {@code StrictMath.log10}. */
  public static double log10(double v) {
    return StrictMath.log10(v);
  }

  /** {@code StrictMath.cbrt}. */
  public static double cbrt(double v) {
    return StrictMath.cbrt(v);
  }

  /** {@code StrictMath.sin}. */
  public static double sin(double v) {
    return StrictMath.sin(v);
  }

  /** {@code StrictMath.cos}. */
  public static double cos(double v) {
    return StrictMath.cos(v);
  }

  /** {@code StrictMath.tan}. */
  public static double tan(double v) {
    return StrictMath.tan(v);
  }

  /** {@code StrictMath.asin}. */
  public static double asin(double v) {
    return StrictMath.asin(v);
  }

  /** {@code StrictMath.acos}. */
  public static double acos(double v) {
    return StrictMath.acos(v);
  }

  /** {@code StrictMath.atan}. */
  public static double atan(double v) {
    return StrictMath.atan(v);
  }

  /** {@code StrictMath.sinh}. */
  public static double sinh(double v) {
    return StrictMath.sinh(v);
  }

  /** {@code StrictMath.cosh}. */
  public static double cosh(double v) {
    return StrictMath.cosh(v);
  }

  /** {@code StrictMath.tanh}. */
  public static double tanh(double v) {
    return StrictMath.tanh(v);
  }

  /** {@code StrictMath.pow}. */
  public static double pow(double v, double w) {
    return StrictMath.pow(v, w);
  }

  /** {@code StrictMath.hypot}. */
  public static double hypot(double v, double w) {
    return StrictMath.hypot(v, w);
  }

  /** {@code StrictMath.atan2}. */
  public static double atan2(double v, double w) {
    return StrictMath.atan2(v, w);
  }
}
