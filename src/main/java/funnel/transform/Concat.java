package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.UnknownLengthException;
import java.util.List;

/**
 * Arrays of one type, one after the other in one array.
 *
 * <p><b>Definition.</b> The elements of the first input, then those of the second, and so on: 3, 1,
 * 4, 1, 5 for 3, 1 and 4, 1, 5. There is at least one input; an array may be several of them. The
 * elements are bytes, ints, longs, floats or doubles, and are copied unchanged, NaN and -0.0
 * included. The output stays on the device, where later operations of the plan may take it.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="concat"}
 *
 * <p><b>The lengths</b> of inputs may be found by earlier operations; then that of the output is
 * found too.
 *
 * <p><b>Empty inputs</b> add nothing.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap an input.
 *
 * <p><b>Cost.</b> The inputs are read once and the output written once, in a launch for each input;
 * no extra memory.
 *
 * <p>Immutable. After {@code concatenate} of NumPy.
 */
public final class Concat implements Operation {

  private static final Concat ALL = new Concat();

  private Concat() {}

  /** All inputs, one after the other. */
  public static Concat all() {
    return ALL;
  }

  /**
   * The primitives of this operation.
   *
   * @param output name of the output, an array
   * @param inputs the arrays
   * @throws IllegalArgumentException if there is none, they are of several types, or together they
   *     can have more elements than an array
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("concat takes at least one input, given=0");
    }
    Input first = inputs.getFirst();
    for (Input input : inputs) {
      if (input.type() != first.type()) {
        throw new IllegalArgumentException(
            "concat takes arrays of one type: %s is of type %s, %s of type %s"
                .formatted(first.name(), first.type(), input.name(), input.type()));
      }
    }
    long capacity = inputs.stream().mapToLong(Input::capacity).sum();
    if (capacity > Input.LARGEST_CAPACITY) {
      throw new UnknownLengthException( // what is found may be fewer
          "concat of %s inputs: their capacities together are %s, but an array has at most %s elements"
              .formatted(inputs.size(), capacity, Input.LARGEST_CAPACITY),
          inputs.stream().map(Input::name).toList());
    }
    return CopyStep.expansion(output, inputs, CopyStep.PART, 0, Integer.MAX_VALUE, 0);
  }

  @Override
  public String toString() {
    return "concat";
  }
}
