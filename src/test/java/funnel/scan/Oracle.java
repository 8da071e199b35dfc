package funnel.scan;

import static org.junit.jupiter.api.Assertions.fail;

import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorCode;
import java.util.function.Supplier;

/** A plain loop's running result, which scanned elements are compared with. */
final class Oracle {

  private final Operator operator;
  private final ElementType type;
  private long integer;
  private double floating;
  private double magnitude;
  private long added;

  private Oracle(Operator operator, ElementType type) {
    this.operator = operator;
    this.type = type;
  }

  static Oracle of(Operator operator, ElementType type, Number initial) {
    Oracle oracle = new Oracle(operator, type);
    oracle.integer = initial.longValue();
    oracle.floating = initial.doubleValue();
    oracle.magnitude = Math.abs(initial.doubleValue());
    return oracle;
  }

  void add(Number value) {
    added++;
    if (type.isFloating()) {
      magnitude += Math.abs(value.doubleValue());
      floating = combine(floating, value.doubleValue());
    } else {
      integer = combine(integer, value.longValue());
    }
  }

  private double combine(double left, double right) {
    return switch (operator.code()) {
      case OperatorCode.SUM -> left + right;
      case OperatorCode.MIN -> Math.min(left, right);
      case OperatorCode.MAX -> Math.max(left, right);
      case OperatorCode.USER ->
          operator.function() instanceof Operator.FloatCombine f
              ? f.applyAsFloat((float) left, (float) right)
              : ((Operator.DoubleCombine) operator.function()).applyAsDouble(left, right);
      default -> throw new IllegalArgumentException(operator.name());
    };
  }

  private long combine(long left, long right) {
    if (operator.isUser()) {
      return operator.function() instanceof Operator.IntCombine f
          ? f.applyAsInt((int) left, (int) right)
          : ((Operator.LongCombine) operator.function()).applyAsLong(left, right);
    }
    long result =
        switch (operator.code()) {
          case OperatorCode.SUM -> left + right;
          case OperatorCode.PRODUCT -> left * right;
          case OperatorCode.MIN -> Math.min(left, right);
          case OperatorCode.MAX -> Math.max(left, right);
          case OperatorCode.AND -> left & right;
          case OperatorCode.OR -> left | right;
          case OperatorCode.XOR -> left ^ right;
          default -> throw new IllegalArgumentException(operator.name());
        };
    return type == ElementType.INT ? (int) result : result;
  }

  /** Integers and selections exactly, sums within the error bound of any order. */
  void require(Number actual, Supplier<String> message) {
    if (!type.isFloating()) {
      if (actual.longValue() != integer) {
        fail("expected %s, was %s: %s".formatted(integer, actual, message.get()));
      }
      return;
    }
    double epsilon = type == ElementType.FLOAT ? 0x1p-23 : 0x1p-52;
    double bound =
        operator.code() == OperatorCode.SUM ? epsilon * magnitude * (80 + added / 60.0) : 0;
    boolean same =
        Double.compare(actual.doubleValue(), floating) == 0
            || Math.abs(actual.doubleValue() - floating) <= bound
            || Double.isInfinite(bound)
                && Double.isNaN(floating) == Double.isNaN(actual.doubleValue());
    if (!same) {
      fail("expected %s, was %s: %s".formatted(floating, actual, message.get()));
    }
  }
}
