package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import java.util.List;

/**
 * The adjacent difference: each element minus the one on its left. It is the inverse of an
 * inclusive scan by sum; for sorted values it gives the gaps.
 *
 * <p><b>Definition.</b> {@code y[0] = x[0]}, and {@code y[i] = x[i] - x[i - 1]} for all others: 3,
 * -2, 3, -3, 4 for 3, 1, 4, 1, 5. The input's elements are ints, longs, floats or doubles; the
 * output has the same type and length. It stays on the device, where later operations of the plan
 * may take it.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="difference"}
 *
 * <p><b>Arithmetic</b> is that of Java's {@code -}, on every engine: integers wrap around; NaN
 * minus anything and anything minus NaN are NaN, as is infinity minus itself; 0.0 minus 0.0 is 0.0
 * and -0.0 minus 0.0 is -0.0. Floating-point results have the same bits on every engine, except
 * that the bits of a NaN may differ.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the input, since a block of
 * threads reads its left neighbour's last element, which that block could have overwritten.
 *
 * <p><b>Cost.</b> The input is read once and the output written once; no extra memory.
 *
 * <p>Immutable. After {@code adjacent_difference} of the C++ standard library and Thrust, and
 * {@code DeviceAdjacentDifference::SubtractLeftCopy} of CUB.
 */
public final class AdjacentDifference implements Operation {

  private static final AdjacentDifference LEFT = new AdjacentDifference();

  private AdjacentDifference() {}

  /** Differences to the element on the left. */
  public static AdjacentDifference left() {
    return LEFT;
  }

  /**
   * The primitives of this operation.
   *
   * @param output name of the output, an array
   * @param inputs the values
   * @throws IllegalArgumentException if there is not exactly one input, or its elements are bytes
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input values = Expansion.only(inputs, this);
    if (values.type() == ElementType.BYTE) {
      throw new IllegalArgumentException(
          "%s takes ints, longs, floats or doubles, input %s is of type %s"
              .formatted(this, values.name(), values.type()));
    }
    return TabulateStep.expansion(output, TabulateStep.DIFFERENCE, values, 0);
  }

  @Override
  public String toString() {
    return "adjacent difference";
  }
}
