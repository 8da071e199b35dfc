package funnel.transform;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

  /* In place of -1 position 0 is read, and then replaced. */

  private interface IntFill extends ElementFunction {
    int of(int value, int position);
  }

  private interface LongFill extends ElementFunction {
    long of(long value, int position);
  }

  private interface FloatFill extends ElementFunction {
    float of(float value, int position);
  }

  private interface DoubleFill extends ElementFunction {
    double of(double value, int position);
  }

  private static final Gather AT = new Gather(null);

  private final @Nullable Number fill;

  private Gather(@Nullable Number fill) {
    this.fill = fill;
  }

  /** The gather of the elements at positions. */
  public static Gather at() {
    return AT;
  }

  /**
   * This gather, with a number where a position is -1: 40, 7, 30 for 30, 10, 40, the positions 2,
   * -1, 0 and 7. Without elements all positions may be -1. NaN in place of elements may have any
   * bits of NaN.
   *
   * @param other the number; if it {@linkplain ElementType#fitting does not fit} the elements'
   *     type, expanding the operation throws an IllegalArgumentException
   */
  public Gather orElse(Number other) {
    return new Gather(Objects.requireNonNull(other, "other"));
  }

  private static Elementwise filling(ElementType type, Number fill) {
    switch (type) {
      case BYTE, INT -> {
        int number = fill.intValue();
        return Elementwise.of("fill", (IntFill) (value, at) -> at < 0 ? number : value).to(type);
      }
      case LONG -> {
        long number = fill.longValue();
        return Elementwise.of("fill", (LongFill) (value, at) -> at < 0 ? number : value);
      }
      case FLOAT -> {
        float number = fill.floatValue();
        return Elementwise.of("fill", (FloatFill) (value, at) -> at < 0 ? number : value);
      }
      case DOUBLE -> {
        double number = fill.doubleValue();
        return Elementwise.of("fill", (DoubleFill) (value, at) -> at < 0 ? number : value);
      }
    }
    throw new AssertionError(type);
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
            fill == null ? 0 : -1,
            values.name(),
            values.capacity(),
            positions.capacity());
    String taken = fill == null ? output : output + ".taken";
    GatherStep take =
        new GatherStep(
            taken,
            values.name(),
            positions.name(),
            check.id(),
            null,
            values.type(),
            positions.capacity());
    List<Primitive> parts = new ArrayList<>(List.of(check, take));
    if (fill != null) {
      Input there = new Input(taken, values.type(), positions.capacity());
      Number number = values.type().fitting("what replaces -1", fill);
      parts.addAll(
          filling(values.type(), number).expand(output, List.of(there, positions)).primitives());
    }
    return new Expansion(List.of(Composite.of(output, parts, Set.of(output))), List.of());
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
  public boolean equals(@Nullable Object other) {
    return other instanceof Gather that && Objects.equals(fill, that.fill);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(fill);
  }

  @Override
  public String toString() {
    return fill == null ? "gather" : "gather or else " + fill;
  }
}
