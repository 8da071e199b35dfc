package funnel.operation;

import java.util.function.ObjIntConsumer;

/** The steps with launches of their own that a step consists of. */
public final class Leaves {

  private Leaves() {}

  /** Calls an action with each of them, and with where its ints begin. */
  public static void each(
      Step step, int shapeAt, Primitive.Lengths lengths, ObjIntConsumer<Step> action) {
    if (step.parts().isEmpty()) {
      action.accept(step, shapeAt);
    }
    int from = shapeAt;
    for (Step part : step.parts()) {
      each(part, from, lengths, action);
      from += part.wholeShape(lengths).length;
    }
  }
}
