package funnel.cli;

import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import java.util.List;
import java.util.Locale;

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

  /** Why there is no such operation over a type; empty if there is one. */
  String refusal(ElementType type) {
    return switch (this) {
      case AND, OR, XOR ->
          type.isFloating() ? "%s is bitwise: it needs integers".formatted(this) : "";
      case ARGMIN, ARGMAX ->
          type == ElementType.BYTE ? "%s works on int32 and wider types".formatted(this) : "";
      default -> "";
    };
  }

  /** A fresh accumulation of this operation over a type. */
  Accumulation over(ElementType type) {
    return switch (this) {
      case SUM ->
          switch (type) {
            case BYTE, INT ->
                new Accumulation.Fold(
                    this,
                    Reduction.sumAsLong(),
                    (a, b) -> Math.addExact(a.longValue(), b.longValue()));
            case LONG -> new Accumulation.LongSum();
            case FLOAT, DOUBLE -> fold(Reduction.sumAsDouble(), Operator.SUM);
          };
      case PRODUCT -> fold(Reduction.product(), Operator.PRODUCT);
      case MIN -> fold(Reduction.min(), Operator.MIN);
      case MAX -> fold(Reduction.max(), Operator.MAX);
      case MIN_MAX -> new Accumulation.MinMax(this, type);
      case ARGMIN -> new Accumulation.Arg(this, false);
      case ARGMAX -> new Accumulation.Arg(this, true);
      case MEAN, VARIANCE, SAMPLE_VARIANCE -> new Accumulation.Moments(this);
      case SUM_OF_SQUARES ->
          type.isFloating()
              ? fold(Reduction.sumOfSquares(), Operator.SUM)
              : new Accumulation.SumOfSquares();
      case COUNT_NONZERO -> fold(Accumulation.countNonzero(type), Operator.SUM);
      case AND -> fold(Reduction.of(Operator.AND), Operator.AND);
      case OR -> fold(Reduction.of(Operator.OR), Operator.OR);
      case XOR -> fold(Reduction.of(Operator.XOR), Operator.XOR);
    };
  }

  private Accumulation fold(Reduction reduction, Operator operator) {
    return new Accumulation.Fold(this, reduction, (a, b) -> Numbers.combine(operator, a, b));
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
