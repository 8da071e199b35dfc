package funnel;

import funnel.operator.ElementFunction;
import funnel.reduce.Distance;
import funnel.reduce.Reduction;

/**
 * The distances of an array's elements from the first, in units of a power of two: none is 4 or
 * more, and one is at least 1 unless all are 0. For 5, 8, 1 they are 0, 0.75, -1 in units of 4.
 *
 * @param first the array's first element
 * @param least its least element
 * @param largest its largest element
 * @param inUnits the distances
 */
record Distances(Value first, Value least, Value largest, Doubles inUnits) {

  /** The deviations of two distances from their means, multiplied. */
  private interface Product extends ElementFunction {
    double of(double x, double y, double meanOfX, double meanOfY);
  }

  private Value product(Distances other) {
    Product product = (x, y, meanOfX, meanOfY) -> (x - meanOfX) * (y - meanOfY);
    return inUnits
        .funnel
        .doubles(
            product,
            inUnits,
            other.inUnits,
            inUnits.value(Reduction.mean()),
            other.inUnits.value(Reduction.mean()))
        .value(Reduction.mean());
  }

  private double unit(Reading read) {
    Number origin = read.get(first);
    return Distance.unit(
        Math.max(Distance.of(read.get(largest), origin), Distance.of(origin, read.get(least))));
  }

  double covariance(Distances other) {
    Value product = product(other);
    Reading read =
        inUnits.funnel.read(
            product, first, least, largest, other.first, other.least, other.largest);
    double covariance = read.getDouble(product);
    double unit = unit(read);
    double unitOfOther = other.unit(read);
    // in this order only the result may overflow or vanish
    return covariance * Math.max(unit, unitOfOther) * Math.min(unit, unitOfOther);
  }

  double correlation(Distances other) {
    Value product = product(other);
    Value variance = inUnits.value(Reduction.variance());
    Value varianceOfOther = other.inUnits.value(Reduction.variance());
    Reading read = inUnits.funnel.read(product, variance, varianceOfOther);
    double deviations =
        Math.sqrt(read.getDouble(variance)) * Math.sqrt(read.getDouble(varianceOfOther));
    double correlation = read.getDouble(product) / deviations;
    return Math.max(-1, Math.min(correlation, 1)); // rounding errors may go beyond
  }
}
