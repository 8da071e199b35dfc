package funnel.cli;

import funnel.operator.Operator;
import java.util.Locale;

/** The operators of {@code funnel scan}, by the names that {@code funnel reduce} has for them. */
enum ScanOp {
  SUM(Operator.SUM),
  PRODUCT(Operator.PRODUCT),
  MIN(Operator.MIN),
  MAX(Operator.MAX),
  AND(Operator.AND),
  OR(Operator.OR),
  XOR(Operator.XOR);

  private final Operator operator;

  ScanOp(Operator operator) {
    this.operator = operator;
  }

  Operator operator() {
    return operator;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
