package funnel.engine;

import java.util.List;

/**
 * What one call on a plan's builder adds: primitives, and the outputs computed from their results.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="step"}
 *
 * @param primitives the primitives, in order
 * @param outputs the outputs
 */
public record Step(List<Primitive> primitives, List<Output> outputs) {
  /** Copies the lists. */
  public Step {
    primitives = List.copyOf(primitives);
    outputs = List.copyOf(outputs);
  }
}
