package funnel.docs;

import funnel.Funnel;
import funnel.math.ElementaryFunctions;
import funnel.math.PowersOfTwo;

/** The examples of {@link ElementaryFunctions} and {@link PowersOfTwo}. */
final class MathSnippets {

  private MathSnippets() {}

  static double[] bells(Funnel funnel, double... x) {
    // @start region="bells"
    double[] bells = funnel.of(x).map(v -> ElementaryFunctions.exp(-v * v)).toArray();
    // @end region="bells"
    return bells;
  }

  static double halves(double v) {
    // @start region="parts"
    double mantissa = PowersOfTwo.mantissa(v); // 1.5 of 12
    int exponent = PowersOfTwo.exponent(v); // 3
    double half = PowersOfTwo.scale(mantissa, exponent - 1); // 6
    // @end region="parts"
    return half;
  }
}
