package funnel.cli;

import funnel.jit.Combine;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * Numbers on the host: those of options, and results of chunks combined in the type that they have.
 */
final class Numbers {

  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+");

  private Numbers() {}

  /**
   * The number that a text has, of a type exactly; of bytes an Integer from 0 to 255.
   *
   * @throws NumberFormatException if it has none
   * @throws ArithmeticException if it does not fit the type
   */
  static Number parsed(String text, ElementType type) {
    return switch (type) {
      case BYTE -> {
        int value = new BigDecimal(text).intValueExact();
        if (value != (value & 0xff)) {
          throw new ArithmeticException(text);
        }
        yield value;
      }
      case INT -> new BigDecimal(text).intValueExact();
      case LONG -> new BigDecimal(text).longValueExact();
      case FLOAT -> fitting(Float.parseFloat(text), text);
      case DOUBLE -> fitting(Double.parseDouble(text), text);
    };
  }

  /**
   * A floating-point number that was read from a text. One that is too large is read as an
   * infinity, which nobody wrote, and a whole number may be read as its neighbour; decimal
   * fractions are meant to be rounded.
   *
   * @throws ArithmeticException in both cases
   */
  static <N extends Number> N fitting(N value, String text) {
    double wide = value.doubleValue();
    boolean isOverflow = Double.isInfinite(wide) && !text.contains("Infinity");
    boolean isWhole = WHOLE.matcher(text).matches();
    if (isOverflow || isWhole && new BigDecimal(wide).compareTo(new BigDecimal(text)) != 0) {
      throw new ArithmeticException(text);
    }
    return value;
  }

  /** {@code left operator right}, which are of one type; integers wrap around. */
  static Number combine(Operator operator, Number left, Number right) {
    int code = operator.code();
    return switch (left) {
      case Integer a -> Combine.apply(code, a, right.intValue());
      case Long a -> Combine.apply(code, a, right.longValue());
      case Float a -> Combine.apply(code, a, right.floatValue());
      case Double a -> Combine.apply(code, a, right.doubleValue());
      default -> throw new IllegalArgumentException("no number of Funnel's: " + left.getClass());
    };
  }
}
