package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import java.util.List;

/**
 * The elements of an array in reverse order.
 *
 * <p><b>Definition.</b> {@code y[i] = x[n - 1 - i]} of {@code n} elements: 4, 1, 3 for 3, 1, 4. The
 * elements are bytes, ints, longs, floats or doubles; the output has the same type and length. It
 * stays on the device, where later operations of the plan may take it. Elements are copied
 * unchanged, NaN and -0.0 included.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="reverse"}
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the input.
 *
 * <p><b>Cost.</b> The input is read once and the output written once; no extra memory.
 *
 * <p>Immutable. After {@code reverse_copy} of the C++ standard library and Thrust.
 */
public final class Reverse implements Operation {

  private static final Reverse ELEMENTS = new Reverse();

  private Reverse() {}

  /** All elements, the last one first. */
  public static Reverse elements() {
    return ELEMENTS;
  }

  /**
   * The primitives of this operation.
   *
   * @param output name of the output, an array
   * @param inputs the elements
   * @throws IllegalArgumentException if there is not exactly one input
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input values = Expansion.only(inputs, this);
    return TabulateStep.expansion(output, TabulateStep.REVERSE, values, 0);
  }

  @Override
  public String toString() {
    return "reverse";
  }
}
