package funnel.transform;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A scatter: writes each element to its position.
 *
 * <p><b>Definition.</b> {@code y[positions[i]] = x[i]}, and an element with position -1 goes
 * nowhere: for 30, 10, 40, the positions 3, -1, 0 and five places it is 40, 0, 0, 30, 0. Places
 * where no element goes have 0, or another value by {@link #filledWith}, or with {@link #over} the
 * elements of a third input. The elements are bytes, ints, longs, floats or doubles, the positions
 * ints, one for each element; the output has the elements' type. Elements are copied unchanged, NaN
 * and -0.0 included.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="scatter"}
 *
 * <p><b>Positions</b> are -1, or at least 0 and less than the length of the output. For any other
 * position the run throws an {@link IndexOutsideException} with the index of the first one.
 * Positions other than -1 must be distinct: otherwise the run throws a {@link
 * DuplicatePositionException} with the index of one of the duplicates, which may vary. In both
 * cases the output is unchanged. For positions that occur more than once, {@code
 * funnel.histogram.ScatterReduce} sums the elements or keeps the last one.
 *
 * <p><b>Empty input</b> gives an output in which all places have the fill value or the old
 * contents.
 *
 * <p><b>In place.</b> The output of {@link #over} may be exactly the array of the old contents,
 * unless that is also the elements or the positions. It must not overlap any other input.
 *
 * <p><b>Cost</b> for elements of {@code w} bytes: {@code 24 + 2w} bytes per element, 20 of them for
 * the check that all positions are inside and distinct, plus {@code w} per element of the output,
 * or {@code 2w} by {@link #over} unless it is in place. Places that are far apart cost a sector of
 * 32 bytes each. Extra memory: 4 bytes for each element of the output.
 *
 * <p>Immutable. After {@code scatter} of Thrust, where positions that are not distinct or not
 * inside give undefined behaviour.
 */
public final class Scatter implements Operation {

  private final int size; // -1: as long as the third input
  private final Number fill;

  private Scatter(int size, Number fill) {
    this.size = size;
    this.fill = fill;
  }

  /**
   * The scatter into {@code size} places.
   *
   * @throws IllegalArgumentException if {@code size} is negative or more than an array can have
   */
  public static Scatter into(int size) {
    return new Scatter(Input.requireLength("Scatter.into: size", size), 0);
  }

  /** The scatter over the elements of a third input, which is as long as the output. */
  public static Scatter over() {
    return new Scatter(-1, 0);
  }

  /**
   * This scatter with a value for places where no element goes; for bytes, 0 to 255.
   *
   * @throws IllegalArgumentException if this scatter is {@link #over} a third input
   */
  public Scatter filledWith(Number value) {
    if (size < 0) {
      throw new IllegalArgumentException(
          "fill=%s, but a scatter over a third input keeps its elements".formatted(value));
    }
    return new Scatter(size, Objects.requireNonNull(value, "value"));
  }

  /**
   * The primitives of this scatter.
   *
   * @param output name of the output, an array
   * @param inputs the elements, their positions, and the old contents if this is {@link #over} a
   *     third input
   * @throws IllegalArgumentException if inputs are too few or too many or their types do not match,
   *     or the fill value does not fit the type
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    boolean isOver = size < 0;
    if (inputs.size() != (isOver ? 3 : 2)) {
      throw new IllegalArgumentException(
          "%s takes elements%s, given=%s inputs"
              .formatted(
                  this, isOver ? ", positions and old contents" : " and positions", inputs.size()));
    }
    Input values = inputs.getFirst();
    Input positions = Gather.requirePositions(this, inputs.get(1));
    Input old = isOver ? inputs.get(2) : null;
    if (old != null && old.type() != values.type()) {
      throw new IllegalArgumentException(
          "%s puts elements of type %s into those of type %s: inputs %s and %s are of one type"
              .formatted(this, values.type(), old.type(), values.name(), old.name()));
    }
    Number value = values.type().fitting("fill", fill);
    int places = old == null ? size : old.capacity();
    String over = old == null ? null : old.name();
    IndexCheckStep check =
        new IndexCheckStep(
            output + ".check",
            "scatter " + output,
            positions.name(),
            -1,
            over,
            places,
            positions.capacity());
    ScatterStep put =
        new ScatterStep(
            output,
            values.name(),
            positions.name(),
            over,
            check.id(),
            values.type(),
            value,
            positions.capacity(),
            places);
    return new Expansion(
        List.of(Composite.of(output, List.of(check, put), Set.of(output))), List.of());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Scatter that && size == that.size && fill.equals(that.fill);
  }

  @Override
  public int hashCode() {
    return Objects.hash(size, fill);
  }

  @Override
  public String toString() {
    return size < 0 ? "scatter over old contents" : "scatter into %s places".formatted(size);
  }
}
