package funnel;

import funnel.operator.Transform;
import java.io.Serializable;

/** Selections and the like with an unnamed predicate, for one-shot calls. */
final class Predicates {

  private static final String NAME = "predicate";

  private Predicates() {}

  static Transform of(Serializable predicate) {
    return switch (predicate) {
      case Transform.IntTest test -> Transform.testInt(NAME, test);
      case Transform.LongTest test -> Transform.testLong(NAME, test);
      case Transform.FloatTest test -> Transform.testFloat(NAME, test);
      case Transform.DoubleTest test -> Transform.testDouble(NAME, test);
      default -> throw new IllegalArgumentException("no predicate: " + predicate);
    };
  }
}
