package funnel.cli;

import funnel.Results;
import funnel.operator.ElementType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** Numbers on the host: those of options, and those of results. */
final class Numbers {

  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+");

  private static final Pattern POWER = Pattern.compile("2\\^([0-9]{1,3})");

  private static final double LARGE = 1e16;
  private static final double SMALL = 1e-5;

  private Numbers() {}

  /** A whole number as options have it: 1000 or 2^20. */
  static long whole(String text) {
    Matcher power = POWER.matcher(text.strip());
    try {
      return power.matches()
          ? BigInteger.TWO.pow(Integer.parseInt(power.group(1))).longValueExact()
          : Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          "'%s' is not a whole number such as 1000 or 2^20".formatted(text));
    } catch (ArithmeticException e) {
      throw new TypeConversionException("%s is too large".formatted(text));
    }
  }

  /** One of 32 bits. */
  static int wholeInt(String text) {
    long value = whole(text);
    if (value != (int) value) {
      throw new TypeConversionException(
          "%s is out of range: %s to %s".formatted(text, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }
    return (int) value;
  }

  /**
   * The number in a text, if a type can represent it exactly; for bytes an Integer from 0 to 255.
   *
   * @throws NumberFormatException if the text is not a number
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
      case FLOAT -> fitting(Float.parseFloat(javaName(text)), text);
      case DOUBLE -> fitting(Double.parseDouble(javaName(text)), text);
    };
  }

  /** Java's name of a number that other languages call inf or nan. */
  private static String javaName(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return lower.matches("[+-]?inf(inity)?")
        ? lower.replaceFirst("inf.*", "Infinity")
        : lower.equals("nan") ? "NaN" : text;
  }

  /**
   * Checks a floating-point number that was parsed from a text. A number that is too large is
   * parsed as an infinity, and a whole number may be rounded to its neighbour; decimal fractions
   * may be rounded.
   *
   * @throws ArithmeticException in both cases
   */
  static <N extends Number> N fitting(N value, String text) {
    double wide = value.doubleValue();
    boolean isOverflow = Double.isInfinite(wide) && !text.matches("(?i)[+-]?inf(inity)?");
    boolean isWhole = WHOLE.matcher(text).matches();
    if (isOverflow || isWhole && new BigDecimal(wide).compareTo(new BigDecimal(text)) != 0) {
      throw new ArithmeticException(text);
    }
    return value;
  }

  /** A number for people: 10, 0.25 or 1e-30, with all digits that distinguish it. */
  static String text(Number number) {
    double value = number.doubleValue();
    if (!(number instanceof Double || number instanceof Float) || !Double.isFinite(value)) {
      return number.toString();
    }
    BigDecimal digits = new BigDecimal(number.toString()).stripTrailingZeros();
    double size = Math.abs(value);
    if (size == 0) {
      return number.toString().startsWith("-") ? "-0" : "0";
    }
    return size >= LARGE || size < SMALL
        ? digits.toString().replaceFirst("E\\+?", "e")
        : digits.toPlainString();
  }

  /** An array of a run, bytes from 0 to 255. */
  static List<Number> of(Results results, String name, ElementType type) {
    return switch (type) {
      case BYTE -> {
        List<Number> values = new ArrayList<>();
        for (byte value : results.bytes(name)) {
          values.add(value & 0xff);
        }
        yield values;
      }
      case INT -> Arrays.stream(results.ints(name)).<Number>mapToObj(v -> v).toList();
      case LONG -> Arrays.stream(results.longs(name)).<Number>mapToObj(v -> v).toList();
      case FLOAT -> {
        List<Number> values = new ArrayList<>();
        for (float value : results.floats(name)) {
          values.add(value);
        }
        yield values;
      }
      case DOUBLE -> Arrays.stream(results.doubles(name)).<Number>mapToObj(v -> v).toList();
    };
  }
}
