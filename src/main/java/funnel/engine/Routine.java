package funnel.engine;

import funnel.operation.Primitive;
import funnel.operation.Step;
import java.util.List;
import java.util.function.Function;

/**
 * The work of one run of a program: primitives, in order.
 *
 * <p>With {@code Scaled}, the example of {@link Primitive}:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="routines"}
 *
 * @param steps the primitives' forms
 */
public record Routine(List<Step> steps) {

  /** Copies the list. */
  public Routine {
    steps = List.copyOf(steps);
  }

  /** A routine of primitives in their default forms. */
  public static Routine of(List<? extends Primitive> primitives) {
    return new Routine(primitives.stream().map(Primitive::asIs).toList());
  }

  /**
   * The first primitive that gave up, and where; empty if none did. Results of those after it are
   * then undefined.
   *
   * @throws IllegalArgumentException as {@link Step#gaveUp}
   */
  public String gaveUp(Function<String, Number> results, Primitive.Lengths lengths) {
    for (Step step : steps) {
      String place = step.gaveUp(results, lengths);
      if (!place.isEmpty()) {
        return step.id() + " at " + place;
      }
    }
    return "";
  }

  /** The first primitive whose assumption was wrong, and why; empty if none's was. */
  public String disproved(Function<String, Number> results, Primitive.Lengths lengths) {
    for (Step step : steps) {
      String found = step.disproved(results, lengths);
      if (!found.isEmpty()) {
        return step.id() + ": " + found;
      }
    }
    return "";
  }
}
