package funnel.cli;

import funnel.Results;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The operations of {@code funnel reduce}. */
enum ReduceOp {
  SUM,
  PRODUCT,
  MIN,
  MAX,
  MIN_MAX,
  ARGMIN,
  ARGMAX,
  MEAN,
  VARIANCE,
  SAMPLE_VARIANCE,
  SUM_OF_SQUARES,
  COUNT_NONZERO,
  AND,
  OR,
  XOR;

  private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(Long.SIZE);

  /** The sum of this many ints fits in a long. */
  private static final long SUM_FITS = 1L << 32;

  private static final double LARGEST = 0x1p63 * (1 - 0x1p-30);

  /** Why the operation is not defined for a type; empty if it is. */
  String refusal(ElementType type) {
    return switch (this) {
      case AND, OR, XOR ->
          type.isFloating() ? "%s is bitwise: it needs integers".formatted(this) : "";
      case ARGMIN, ARGMAX ->
          type == ElementType.BYTE ? "%s works on int32 and wider types".formatted(this) : "";
      default -> "";
    };
  }

  /** The name of one of its outputs. */
  private String output(String suffix) {
    return toString().replace('-', '_') + suffix;
  }

  private static boolean isSumWide(ElementType type, long length) {
    return type == ElementType.LONG || type == ElementType.INT && length > SUM_FITS;
  }

  /** The reductions to compute, by the names of outputs. */
  Map<String, Reduction> reductions(ElementType type, long length) {
    Map<String, Reduction> all = new LinkedHashMap<>();
    switch (this) {
      case SUM -> {
        all.put(output(""), type.isFloating() ? Reduction.sumAsDouble() : Reduction.sumAsLong());
        if (isSumWide(type, length)) {
          all.put(output("_double"), Reduction.sumAsDouble());
        }
      }
      case MIN_MAX -> {
        if (type == ElementType.BYTE) {
          all.put(output("_min"), Reduction.min());
          all.put(output("_max"), Reduction.max());
        } else {
          all.put(output(""), Reduction.minMax());
        }
      }
      case SUM_OF_SQUARES -> {
        all.put(output(""), Reduction.sumOfSquares());
        if (!type.isFloating() && length > 0) {
          all.put(output("_mean"), Reduction.mean());
          all.put(output("_variance"), Reduction.variance());
        }
      }
      case PRODUCT -> all.put(output(""), Reduction.product());
      case MIN -> all.put(output(""), Reduction.min());
      case MAX -> all.put(output(""), Reduction.max());
      case ARGMIN -> all.put(output(""), Reduction.argMin());
      case ARGMAX -> all.put(output(""), Reduction.argMax());
      case MEAN -> all.put(output(""), Reduction.mean());
      case VARIANCE -> all.put(output(""), Reduction.variance());
      case SAMPLE_VARIANCE -> all.put(output(""), Reduction.sampleVariance());
      case COUNT_NONZERO -> all.put(output(""), countNonzero(type));
      case AND -> all.put(output(""), Reduction.of(Operator.AND));
      case OR -> all.put(output(""), Reduction.of(Operator.OR));
      case XOR -> all.put(output(""), Reduction.of(Operator.XOR));
    }
    return all;
  }

  /** The value: a number, or a map of numbers by name. */
  Object value(Results results, ElementType type, long length) {
    return switch (this) {
      case SUM -> {
        Number sum = results.get(output(""));
        yield isSumWide(type, length)
            ? exact(sum.longValue(), results.getDouble(output("_double")))
            : sum;
      }
      case MIN_MAX -> pair("min", results.get(output("_min")), "max", results.get(output("_max")));
      case ARGMIN, ARGMAX ->
          pair("index", results.get(output("")), "value", results.get(output("_value")));
      case SUM_OF_SQUARES -> {
        if (!type.isFloating() && length > 0) {
          requireFits(results, length);
        }
        yield results.get(output(""));
      }
      default -> results.get(output(""));
    };
  }

  private static Map<String, Object> pair(String first, Number one, String second, Number other) {
    Map<String, Object> both = new LinkedHashMap<>();
    both.put(first, one);
    both.put(second, other);
    return both;
  }

  /**
   * The integer that is {@code wrapped} modulo 2^64 and nearest to {@code rounded}: an exact sum.
   * For 2^38 longs the error of the sum as a double is less than 2^63.
   */
  static BigInteger exact(long wrapped, double rounded) {
    BigInteger low = BigInteger.valueOf(wrapped);
    BigDecimal over = new BigDecimal(rounded).subtract(new BigDecimal(low));
    BigInteger turns =
        over.divide(new BigDecimal(MODULUS), 0, RoundingMode.HALF_EVEN).toBigInteger();
    return low.add(turns.multiply(MODULUS));
  }

  /** Refuses integers whose sum of squares does not fit in a long. */
  private void requireFits(Results results, long length) {
    double mean = results.getDouble(output("_mean"));
    double about = length * (results.getDouble(output("_variance")) + mean * mean);
    if (about >= LARGEST) {
      throw new ArithmeticException(
          String.format(
              Locale.ROOT,
              "sum-of-squares does not fit 64 bits: about %.3g; convert the file to float64",
              about));
    }
  }

  /** The number of elements that are not zero; NaN is not. */
  private static Reduction countNonzero(ElementType type) {
    return Reduction.countIf(
        switch (type) {
          case BYTE, INT -> Transform.testInt("x != 0", x -> x != 0);
          case LONG -> Transform.testLong("x != 0", x -> x != 0);
          case FLOAT -> Transform.testFloat("x != 0", x -> x != 0);
          case DOUBLE -> Transform.testDouble("x != 0", x -> x != 0);
        });
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Reads an operation's name. */
  static final class Converter extends NamedConverter<ReduceOp> {
    Converter() {
      super(List.of(values()), ReduceOp::toString);
    }
  }
}
