package funnel;

import funnel.operator.Transform;

/** Predicates of one-shot calls, which name none. */
final class Predicates {

  private static final String NAME = "predicate";

  private Predicates() {}

  static Transform of(Transform.IntTest predicate) {
    return Transform.testInt(NAME, predicate);
  }

  static Transform of(Transform.LongTest predicate) {
    return Transform.testLong(NAME, predicate);
  }

  static Transform of(Transform.FloatTest predicate) {
    return Transform.testFloat(NAME, predicate);
  }

  static Transform of(Transform.DoubleTest predicate) {
    return Transform.testDouble(NAME, predicate);
  }
}
