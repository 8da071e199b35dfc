package funnel.engine;

import funnel.operation.Primitive;
import java.util.List;
import java.util.function.Function;

/**
 * The work of one run of a program: primitives, in order.
 *
 * <p>With {@code Scaled}, the example of {@link Primitive}:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="routines"}
 *
 * @param primitives the primitives
 */
public record Routine(List<Primitive> primitives) {

  /** Copies the list. */
  public Routine {
    primitives = List.copyOf(primitives);
  }

  /**
   * The first primitive that gave up, and where; empty if none did. Results of those after it are
   * then undefined.
   *
   * @throws IllegalArgumentException as {@link Primitive#gaveUp}
   */
  public String gaveUp(Function<String, Number> results, Primitive.Lengths lengths) {
    for (Primitive primitive : primitives) {
      String place = primitive.gaveUp(results, lengths);
      if (!place.isEmpty()) {
        return primitive.id() + " at " + place;
      }
    }
    return "";
  }
}
