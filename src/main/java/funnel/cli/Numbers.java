package funnel.cli;

import funnel.jit.Combine;
import funnel.operator.Operator;

/** Results of chunks combined on the host, in the type that they have. */
final class Numbers {

  private Numbers() {}

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
