package funnel.cli;

import funnel.Results;
import funnel.kernel.Scalars;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One operation of {@code funnel reduce} over a file: what a plan has to compute on each chunk, and
 * how the chunks' values are combined on the host, from the first chunk to the last.
 */
abstract class Accumulation {

  private final ReduceOp op;

  Accumulation(ReduceOp op) {
    this.op = op;
  }

  /** The operation. */
  final ReduceOp op() {
    return op;
  }

  /** The name of one of its outputs in the plan. */
  final String output(String suffix) {
    return op.toString().replace('-', '_') + suffix;
  }

  /** What is to be computed on each chunk, by the names of outputs. */
  abstract Map<String, Reduction> reductions();

  /**
   * Takes a chunk's results.
   *
   * @param from the global index of the chunk's first element
   * @param length its elements
   */
  abstract void add(Results chunk, long from, int length);

  /** The value over all chunks: a number, or a map of numbers by name. */
  abstract Object value();

  private static Number present(@Nullable Number value) {
    return Objects.requireNonNull(value, "no chunk was added");
  }

  /** Reductions whose values over two parts combine to that over both. */
  static final class Fold extends Accumulation {
    private final Reduction reduction;
    private final BinaryOperator<Number> combine;
    private @Nullable Number value;

    Fold(ReduceOp op, Reduction reduction, BinaryOperator<Number> combine) {
      super(op);
      this.reduction = reduction;
      this.combine = combine;
    }

    @Override
    Map<String, Reduction> reductions() {
      return Map.of(output(""), reduction);
    }

    @Override
    void add(Results chunk, long from, int length) {
      Number next = chunk.get(output(""));
      value = value == null ? next : combine.apply(value, next);
    }

    @Override
    Object value() {
      return present(value);
    }
  }

  /** The smallest and the largest element. */
  static final class MinMax extends Accumulation {
    private final boolean isPair;
    private @Nullable Number min;
    private @Nullable Number max;

    MinMax(ReduceOp op, ElementType type) {
      super(op);
      this.isPair = type != ElementType.BYTE;
    }

    @Override
    Map<String, Reduction> reductions() {
      return isPair
          ? Map.of(output(""), Reduction.minMax())
          : Map.of(output("_min"), Reduction.min(), output("_max"), Reduction.max());
    }

    @Override
    void add(Results chunk, long from, int length) {
      Number low = chunk.get(output("_min"));
      Number high = chunk.get(output("_max"));
      min = min == null ? low : Numbers.combine(Operator.MIN, min, low);
      max = max == null ? high : Numbers.combine(Operator.MAX, max, high);
    }

    @Override
    Object value() {
      Map<String, Object> both = new LinkedHashMap<>();
      both.put("min", present(min));
      both.put("max", present(max));
      return both;
    }
  }

  /** The first index of the smallest or largest element. */
  static final class Arg extends Accumulation {
    private final boolean isMax;
    private @Nullable Number best;
    private long index;

    Arg(ReduceOp op, boolean isMax) {
      super(op);
      this.isMax = isMax;
    }

    @Override
    Map<String, Reduction> reductions() {
      return Map.of(output(""), isMax ? Reduction.argMax() : Reduction.argMin());
    }

    @Override
    void add(Results chunk, long from, int length) {
      Number value = chunk.get(output("_value"));
      if (best == null || isBetter(value, best)) {
        best = value;
        index = from + chunk.get(output("")).longValue();
      }
    }

    private boolean isBetter(Number a, Number b) {
      return switch (a) {
        case Float f ->
            isMax ? Scalars.isLarger(f, b.floatValue()) : Scalars.isSmaller(f, b.floatValue());
        case Double d ->
            isMax ? Scalars.isLarger(d, b.doubleValue()) : Scalars.isSmaller(d, b.doubleValue());
        default -> isMax ? a.longValue() > b.longValue() : a.longValue() < b.longValue();
      };
    }

    @Override
    Object value() {
      Map<String, Object> both = new LinkedHashMap<>();
      both.put("index", index);
      both.put("value", present(best));
      return both;
    }
  }

  /**
   * Mean and variance. Two parts combine by Chan, Golub and LeVeque's formula (Updating formulae
   * and a pairwise algorithm for computing sample variances, 1979).
   */
  static final class Moments extends Accumulation {
    private long count;
    private double mean;
    private double squares;

    Moments(ReduceOp op) {
      super(op);
    }

    @Override
    Map<String, Reduction> reductions() {
      return op() == ReduceOp.MEAN
          ? Map.of(output("_mean"), Reduction.mean())
          : Map.of(output("_mean"), Reduction.mean(), output("_variance"), Reduction.variance());
    }

    @Override
    void add(Results chunk, long from, int length) {
      double nextMean = chunk.getDouble(output("_mean"));
      double nextSquares =
          op() == ReduceOp.MEAN ? 0 : chunk.getDouble(output("_variance")) * length;
      if (count == 0) {
        count = length;
        mean = nextMean;
        squares = nextSquares;
        return;
      }
      double share = length / (double) (count + length);
      double distance = nextMean - mean;
      squares += nextSquares + distance * distance * count * share;
      mean += distance * share;
      count += length;
    }

    @Override
    Object value() {
      return switch (op()) {
        case MEAN -> mean;
        case SAMPLE_VARIANCE -> squares / (count - 1);
        default -> squares / count;
      };
    }
  }

  /**
   * The exact sum of longs. A chunk's sum as a long is the true one modulo 2^64, and its sum as a
   * double is off by less than 2^53 for any length of a chunk, so the two together give the true
   * one.
   */
  static final class LongSum extends Accumulation {
    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(Long.SIZE);

    private BigInteger value = BigInteger.ZERO;

    LongSum() {
      super(ReduceOp.SUM);
    }

    @Override
    Map<String, Reduction> reductions() {
      return Map.of(
          output("_long"), Reduction.sumAsLong(), output("_double"), Reduction.sumAsDouble());
    }

    @Override
    void add(Results chunk, long from, int length) {
      value = value.add(exact(chunk.getLong(output("_long")), chunk.getDouble(output("_double"))));
    }

    /** The integer that is {@code wrapped} modulo 2^64 and nearest to {@code rounded}. */
    static BigInteger exact(long wrapped, double rounded) {
      BigInteger low = BigInteger.valueOf(wrapped);
      BigDecimal over = new BigDecimal(rounded).subtract(new BigDecimal(low));
      BigInteger turns =
          over.divide(new BigDecimal(MODULUS), 0, RoundingMode.HALF_EVEN).toBigInteger();
      return low.add(turns.multiply(MODULUS));
    }

    @Override
    Object value() {
      return value;
    }
  }

  /** The sum of integers' squares, refused where it does not fit a long. */
  static final class SumOfSquares extends Accumulation {
    private static final double LARGEST = 0x1p63 * (1 - 0x1p-30);

    private long value;

    SumOfSquares() {
      super(ReduceOp.SUM_OF_SQUARES);
    }

    @Override
    Map<String, Reduction> reductions() {
      return Map.of(
          output(""), Reduction.sumOfSquares(),
          output("_mean"), Reduction.mean(),
          output("_variance"), Reduction.variance());
    }

    @Override
    void add(Results chunk, long from, int length) {
      if (length == 0) {
        return;
      }
      double mean = chunk.getDouble(output("_mean"));
      double about = length * (chunk.getDouble(output("_variance")) + mean * mean);
      if (about + value >= LARGEST) {
        throw new ArithmeticException(
            ("sum-of-squares does not fit 64 bits: about %.3g after %d elements; "
                    + "convert the file to float64")
                .formatted(about + value, from + length));
      }
      value = Math.addExact(value, chunk.getLong(output("")));
    }

    @Override
    Object value() {
      return value;
    }
  }

  /** The number of elements that are not zero; NaN is not. */
  static Reduction countNonzero(ElementType type) {
    return Reduction.countIf(
        switch (type) {
          case BYTE, INT -> Transform.testInt("x != 0", x -> x != 0);
          case LONG -> Transform.testLong("x != 0", x -> x != 0);
          case FLOAT -> Transform.testFloat("x != 0", x -> x != 0);
          case DOUBLE -> Transform.testDouble("x != 0", x -> x != 0);
        });
  }
}
