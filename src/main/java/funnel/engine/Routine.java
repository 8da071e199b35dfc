package funnel.engine;

import java.util.List;
import java.util.function.Function;

/**
 * What one run of a program does: primitives, in order.
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

  /** Where primitives gave up: each one's id and its place. */
  public List<String> gaveUp(Function<String, Number> results) {
    return primitives.stream()
        .filter(p -> !p.gaveUp(results).isEmpty())
        .map(p -> p.id() + " at " + p.gaveUp(results))
        .toList();
  }
}
