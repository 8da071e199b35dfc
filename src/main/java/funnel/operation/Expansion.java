package funnel.operation;

import java.util.List;

/**
 * What an {@link Operation} consists of: primitives, and the outputs computed from their results.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="step"}
 *
 * @param primitives the primitives, in order
 * @param outputs the outputs
 */
public record Expansion(List<Primitive> primitives, List<Output> outputs) {
  /** Copies the lists. */
  public Expansion {
    primitives = List.copyOf(primitives);
    outputs = List.copyOf(outputs);
  }

  /**
   * The single input of an operation.
   *
   * @param inputs the operation's inputs
   * @param operation the operation, for the message
   * @throws IllegalArgumentException if there are none or several
   */
  public static Input only(List<Input> inputs, Object operation) {
    if (inputs.size() != 1) {
      throw new IllegalArgumentException(
          "%s takes one input, given=%s".formatted(operation, inputs.size()));
    }
    return inputs.getFirst();
  }
}
