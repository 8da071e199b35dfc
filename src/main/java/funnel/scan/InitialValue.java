package funnel.scan;

import funnel.operator.ElementType;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The number that a scan begins with, as the caller gave it and in the results' type. */
final class InitialValue {

  private InitialValue() {}

  /**
   * The value as one of the type. -0.0 stays -0.0.
   *
   * @throws IllegalArgumentException if the type does not hold it exactly
   */
  static Number fitting(Number value, ElementType type) {
    Number converted =
        switch (type) {
          case BYTE -> throw new IllegalStateException("no scan to bytes");
          case INT -> value.intValue();
          case LONG -> value.longValue();
          case FLOAT -> value.floatValue();
          case DOUBLE -> value.doubleValue();
        };
    BigDecimal wanted = exactly(value);
    BigDecimal given = exactly(converted);
    boolean same =
        wanted == null || given == null
            ? wanted == given && Double.compare(value.doubleValue(), converted.doubleValue()) == 0
            : wanted.compareTo(given) == 0;
    if (!same) {
      throw new IllegalArgumentException(
          "initial value %s does not fit %s: it would become %s".formatted(value, type, converted));
    }
    return converted;
  }

  /** The number without rounding; null for infinities and NaN. */
  private static @Nullable BigDecimal exactly(Number value) {
    return switch (value) {
      case BigDecimal decimal -> decimal;
      case BigInteger integer -> new BigDecimal(integer);
      default -> {
        double wide = value.doubleValue();
        boolean isFloating = value instanceof Double || value instanceof Float;
        if (!isFloating && wide == value.longValue()) {
          yield BigDecimal.valueOf(value.longValue());
        }
        yield Double.isFinite(wide) ? new BigDecimal(wide) : null;
      }
    };
  }
}
