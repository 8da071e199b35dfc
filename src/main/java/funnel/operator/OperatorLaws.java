package funnel.operator;

import funnel.operator.OperatorLawException.Law;
import java.util.List;

/** Tests a user-defined operator on samples of its type. */
final class OperatorLaws {

  /* Integers must be equal. In floating point all NaN are equal, and so are zeros of either sign.
   * Rounded results may differ by RELATIVE of the largest intermediate number: sums that cancel
   * lose bits of their operands, not of the result. If finite operands give an infinity, or others
   * give NaN, another grouping may not, so such cases are left out.
   */

  private static final double RELATIVE = 1e-4;

  private final Operator operator;
  private final Object function;
  private final Number identity;

  OperatorLaws(Operator operator, Object function, Number identity) {
    this.operator = operator;
    this.function = function;
    this.identity = identity;
  }

  private Number apply(Number a, Number b) {
    return switch (function) {
      case Operator.IntCombine f -> f.applyAsInt(a.intValue(), b.intValue());
      case Operator.LongCombine f -> f.applyAsLong(a.longValue(), b.longValue());
      case Operator.FloatCombine f -> f.applyAsFloat(a.floatValue(), b.floatValue());
      case Operator.DoubleCombine f -> f.applyAsDouble(a.doubleValue(), b.doubleValue());
      default -> throw new IllegalStateException("not an operator: " + function.getClass());
    };
  }

  private static boolean isFloating(Number value) {
    return value instanceof Float || value instanceof Double;
  }

  /** Whether two results are the same within the tolerance that the intermediate numbers give. */
  private static boolean same(Number a, Number b, Number... met) {
    if (!isFloating(a)) {
      return a.equals(b);
    }
    double x = a.doubleValue();
    double y = b.doubleValue();
    double largest = 0;
    for (Number each : met) {
      largest = Math.max(largest, Math.abs(each.doubleValue()));
    }
    return x == y
        || Double.isNaN(x) && Double.isNaN(y)
        || Double.isFinite(largest) && Math.abs(x - y) <= RELATIVE * largest;
  }

  /** Whether finite numbers gave an infinity, or numbers gave NaN. */
  private static boolean isOverflow(Number result, Number... operands) {
    double largest = 0;
    for (Number operand : operands) {
      largest = Math.max(largest, Math.abs(operand.doubleValue()));
    }
    double value = result.doubleValue();
    return Double.isFinite(largest) && Double.isInfinite(value)
        || !Double.isNaN(largest) && Double.isNaN(value);
  }

  void requireIdentity(Number x) {
    Number left = apply(identity, x);
    Number right = apply(x, identity);
    boolean isLeft = !same(left, x, x);
    if (isLeft || !same(right, x, x)) {
      throw new OperatorLawException(
          operator.name(),
          Law.IDENTITY,
          "%s is not an identity: f(%s, %s) gave %s, not %s; give the value that leaves every operand unchanged, and apply functions of single elements in a Transform"
              .formatted(
                  identity,
                  isLeft ? identity : x,
                  isLeft ? x : identity,
                  isLeft ? left : right,
                  x));
    }
  }

  void requireAssociative(Number a, Number b, Number c) {
    Number ab = apply(a, b);
    Number bc = apply(b, c);
    Number left = apply(ab, c);
    Number right = apply(a, bc);
    boolean isOverflow =
        isOverflow(ab, a, b)
            || isOverflow(bc, b, c)
            || isOverflow(left, a, b, c)
            || isOverflow(right, a, b, c);
    if (!isOverflow && !same(left, right, a, b, c, ab, bc, left, right)) {
      throw new OperatorLawException(
          operator.name(),
          Law.ASSOCIATIVITY,
          "it is not associative: f(f(%1$s, %2$s), %3$s) gave %4$s, f(%1$s, f(%2$s, %3$s)) gave %5$s; these must be the same, since the grouping depends on the input's length"
              .formatted(a, b, c, left, right));
    }
  }

  private void requireCommutative(Number a, Number b) {
    Number ab = apply(a, b);
    Number ba = apply(b, a);
    if (!same(ab, ba, a, b, ab, ba)) {
      throw new OperatorLawException(
          operator.name(),
          Law.COMMUTATIVITY,
          "it is declared commutative but is not: f(%1$s, %2$s) gave %3$s, f(%2$s, %1$s) gave %4$s; leave out commutative()"
              .formatted(a, b, ab, ba));
    }
  }

  /** Tests the identity on each sample, then all pairs, then all triples. */
  void check(List<Number> samples) {
    samples.forEach(this::requireIdentity);
    for (Number a : samples) {
      for (Number b : samples) {
        if (operator.isCommutative()) {
          requireCommutative(a, b);
        }
        for (Number c : samples) {
          requireAssociative(a, b, c);
        }
      }
    }
  }
}
