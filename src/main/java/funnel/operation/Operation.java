package funnel.operation;

import funnel.operator.ElementType;
import java.util.List;
import java.util.Optional;

/**
 * A computation over the inputs of a plan: a reduction, a scan, a histogram, or your own operation,
 * which runs in a plan on every engine like these.
 *
 * <p>Immutable. An operation is independent of engines and devices: it states which primitives do
 * its work, and what is computed from their results at the end.
 *
 * <p>An operation that is made of others, the root mean square:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="step"}
 *
 * <p>An operation with its own kernels, in a plan:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="operation"}
 */
public interface Operation {

  /**
   * The primitives of this operation, and its outputs.
   *
   * @param output the name of its output and prefix of the names of further outputs, unique in the
   *     plan; names of arrays that are not visible outside begin with it and a dot
   * @param inputs its inputs, each an input of the plan or an array of an earlier operation
   * @throws IllegalArgumentException if the inputs are too few, too many, or of types that do not
   *     match it or each other
   */
  Expansion expand(String output, List<Input> inputs);

  /** Whether inputs may be single values of earlier operations, see {@link Input#value}. */
  default boolean takesValues() {
    return false;
  }

  /**
   * How it is done in parts of inputs that are too long for an array, or for one device; empty if
   * its outputs are as long as its inputs, or need all of them at once.
   *
   * @param inputs the types of its inputs
   */
  default Optional<Parts<?>> inParts(List<ElementType> inputs) {
    return Optional.empty();
  }
}
