package funnel.transform;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Set;

/**
 * A gather: reads elements at an array of positions.
 *
 * <p><b>Definition.</b> {@code y[i] = x[positions[i]]}: 40, 30, 30, 10 for 30, 10, 40 and the
 * positions 2, 0, 0, 1. The elements are bytes, ints, longs, floats or doubles, the positions ints;
 * the output has the elements' type and is as long as the positions. It stays on the device, where
 * later operations of the plan may take it. Elements are copied unchanged, NaN and -0.0 included.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="gather"}
 *
 * <p><b>Positions</b> are at least 0 and less than the number of elements. For any other position
 * the run throws an {@link IndexOutsideException} with the index of the first one, and the output
 * is unchanged.
 *
 * <p><b>Empty input.</b> Without positions the output is empty; without elements every position is
 * outside.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the inputs, since an element may
 * be read again after its place has been written.
 *
 * <p><b>Cost</b> per position, for elements of {@code w} bytes: {@code 8 + 2w} bytes, 4 of them for
 * the check that all positions are inside; elements that are far apart cost a sector of 32 bytes
 * each. Extra memory is negligible.
 *
 * <p>Immutable. After {@code gather} of Thrust, which does not check the positions.
 */
public final class Gather implements Operation {

  private static final Gather AT = new Gather();

  private Gather() {}

  /** The gather of the elements at positions. */
  public static Gather at() {
    return AT;
  }

  /**
   * The primitives of this gather.
   *
   * @param output name of the output, an array as long as the positions
   * @param inputs the elements, and the positions
   * @throws IllegalArgumentException if there are not two inputs, or the positions are not ints
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.size() != 2) {
      throw new IllegalArgumentException(
          "%s takes elements and positions, given=%s inputs".formatted(this, inputs.size()));
    }
    Input values = inputs.getFirst();
    Input positions = requirePositions(this, inputs.getLast());
    IndexCheckStep check =
        new IndexCheckStep(
            output + ".check",
            "gather " + output,
            positions.name(),
            0,
            values.name(),
            values.capacity(),
            positions.capacity());
    GatherStep take =
        new GatherStep(
            output,
            values.name(),
            positions.name(),
            check.id(),
            null,
            values.type(),
            positions.capacity());
    return new Expansion(
        List.of(Composite.of(output, List.of(check, take), Set.of(output))), List.of());
  }

  static Input requirePositions(Operation operation, Input positions) {
    if (positions.type() != ElementType.INT) {
      throw new IllegalArgumentException(
          "positions of %s are ints, input %s is of type %s"
              .formatted(operation, positions.name(), positions.type()));
    }
    return positions;
  }

  @Override
  public String toString() {
    return "gather";
  }
}
