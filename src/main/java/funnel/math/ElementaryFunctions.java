package funnel.math;

public final class ElementaryFunctions {
  private ElementaryFunctions() {}

  public static double exp(double x) {
    return Exponentials.exp(x, 0);
  }

  public static float exp(float x) {
    return Exponentials.exp(x);
  }

  public static double expm1(double x) {
    return Exponentials.expm1(x);
  }

  public static double log(double x) {
    return Logarithms.log(x);
  }

  public static float log(float x) {
    return Logarithms.log(x);
  }

  public static double log10(double x) {
    return Logarithms.log10(x);
  }

  public static double log1p(double x) {
    return Logarithms.log1p(x);
  }

  public static double pow(double x, double y) {
    return Powers.pow(x, y);
  }

  public static double cbrt(double x) {
    return Powers.cbrt(x);
  }

  public static double hypot(double x, double y) {
    return Powers.hypot(x, y);
  }

  public static double sin(double x) {
    return Circular.sin(x);
  }

  public static double cos(double x) {
    return Circular.cos(x);
  }

  public static double tan(double x) {
    return Circular.tan(x);
  }

  public static float sin(float x) {
    return Circular.sin(x);
  }

  public static float cos(float x) {
    return Circular.cos(x);
  }

  public static float tan(float x) {
    return Circular.tan(x);
  }

  public static double asin(double x) {
    return InverseCircular.asin(x);
  }

  public static double acos(double x) {
    return InverseCircular.acos(x);
  }

  public static double atan(double x) {
    return InverseCircular.atan(x);
  }

  public static double atan2(double y, double x) {
    return InverseCircular.atan2(y, x);
  }

  public static double sinh(double x) {
    return Exponentials.sinh(x);
  }

  public static double cosh(double x) {
    return Exponentials.cosh(x);
  }

  public static double tanh(double x) {
    return Exponentials.tanh(x);
  }
}
