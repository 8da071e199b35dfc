package funnel.reduce;

import funnel.Values;
import funnel.operator.ElementType;
import java.util.SplittableRandom;

/** Kinds of data, each of which has caught some reduction out. */
enum Kind {
  /** All of an integer type's range; floats of very different magnitudes and both signs. */
  RANDOM,
  /** Odd integers and floats near one, whose product neither vanishes nor overflows soon. */
  NEAR_ONE,
  CONSTANT,
  ALTERNATING,
  ASCENDING,
  DESCENDING,
  /** Smallest and largest values of the type. */
  EXTREMES,
  /** Three different values: ties. */
  FEW,
  ALL_NAN,
  /** NaN at one place, random or at one of the ends. */
  ONE_NAN,
  NEGATIVE_ZEROS,
  MIXED_ZEROS,
  /** Finite values and one positive infinity. */
  INFINITY,
  BOTH_INFINITIES,
  SUBNORMALS;

  boolean isFor(ElementType type) {
    return type.isFloating() || ordinal() < ALL_NAN.ordinal();
  }

  Values make(ElementType type, int length, SplittableRandom random) {
    Values values = Values.ofLength(type, length);
    for (int i = 0; i < length; i++) {
      if (type.isFloating()) {
        values.set(i, floating(type, i, length, random));
      } else {
        values.set(i, integer(type, i, length, random));
      }
    }
    if (length > 0 && (this == ONE_NAN || this == INFINITY)) {
      int[] places = {0, length / 2, length - 1, random.nextInt(length)};
      values.set(
          places[random.nextInt(places.length)],
          this == ONE_NAN ? Double.NaN : Double.POSITIVE_INFINITY);
    }
    return values;
  }

  private long integer(ElementType type, int i, int length, SplittableRandom random) {
    boolean coin = random.nextBoolean();
    return switch (this) {
      case RANDOM -> random.nextLong();
      case NEAR_ONE -> random.nextInt(7) | 1;
      case CONSTANT -> 7;
      case ALTERNATING -> i % 2 == 0 ? 100 : -99;
      case ASCENDING -> i - length / 2;
      case DESCENDING -> length / 2 - i;
      case EXTREMES ->
          switch (type) {
            case BYTE -> coin ? 0 : 255;
            case INT -> coin ? Integer.MIN_VALUE : Integer.MAX_VALUE;
            default -> coin ? Long.MIN_VALUE : Long.MAX_VALUE;
          };
      default -> random.nextInt(3);
    };
  }

  private double floating(ElementType type, int i, int length, SplittableRandom random) {
    boolean coin = random.nextBoolean();
    boolean isFloat = type == ElementType.FLOAT;
    double ordinary = random.nextDouble(-1, 1);
    return switch (this) {
      case RANDOM -> Math.scalb(ordinary, random.nextInt(-20, 21));
      case NEAR_ONE -> random.nextDouble(0.75, 1.3);
      case CONSTANT -> 0.1;
      case ALTERNATING -> i % 2 == 0 ? 1e8 : -1e8 + 1;
      case ASCENDING -> (i - length / 2) * 0.3;
      case DESCENDING -> (length / 2 - i) * 0.3;
      case EXTREMES -> (coin ? 1 : -1) * (isFloat ? Float.MAX_VALUE : Double.MAX_VALUE);
      case FEW -> random.nextInt(3) - 1;
      case ALL_NAN -> Double.NaN;
      case ONE_NAN, INFINITY -> ordinary;
      case NEGATIVE_ZEROS -> -0.0;
      case MIXED_ZEROS -> coin ? 0.0 : -0.0;
      case BOTH_INFINITIES ->
          random.nextInt(50) > 0
              ? ordinary
              : coin ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
      case SUBNORMALS ->
          (coin ? 1 : -1)
              * (random.nextInt(1000) + 1)
              * (isFloat ? Float.MIN_VALUE : Double.MIN_VALUE);
    };
  }
}
