package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The elements of an array some places further on, or back: {@code lag} and {@code lead} of SQL.
 *
 * <p><b>Definition.</b> {@code y[i] = x[i - n]} of as many elements, and the fill value where there
 * is no such element. Of 3, 1, 4, 1, 5 with a fill value of 0:
 *
 * <table>
 * <caption>Shifts of 3, 1, 4, 1, 5</caption>
 * <tr><th>shift</th><th>elements</th></tr>
 * <tr><td>{@code by(2, 0)}</td><td>0, 0, 3, 1, 4</td></tr>
 * <tr><td>{@code by(-2, 0)}</td><td>4, 1, 5, 0, 0</td></tr>
 * <tr><td>{@code by(7, 0)}</td><td>0, 0, 0, 0, 0</td></tr>
 * </table>
 *
 * <p>The elements are bytes, ints, longs, floats or doubles; the output has the same type and
 * length, which an earlier operation may find. It stays on the device, where later operations of
 * the plan may take it. Elements are copied unchanged, NaN and -0.0 included; a fill value of -0.0
 * stays -0.0, and of NaN is a NaN.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="shift"}
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the input.
 *
 * <p><b>Cost.</b> The input is read once and the output written once; no extra memory. Other
 * distances and fill values do not need another compilation of the kernel.
 *
 * <p>Immutable. After {@code shift_left} and {@code shift_right} of the C++ standard library.
 */
public final class Shift implements Operation {

  private final int n;
  private final Number fill;

  private Shift(int n, Number fill) {
    this.n = n;
    this.fill = fill;
  }

  /**
   * A shift.
   *
   * @param n how many places an element moves towards the end; towards the front if negative
   * @param fill the value of the places that no element moves to
   */
  public static Shift by(int n, Number fill) {
    return new Shift(n, Objects.requireNonNull(fill, "fill"));
  }

  /**
   * The primitives of this shift.
   *
   * @param output name of the output, an array
   * @param inputs the elements
   * @throws IllegalArgumentException if there is not exactly one input, or the fill value
   *     {@linkplain ElementType#fitting does not fit} its type
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input values = Expansion.only(inputs, this);
    int start = -Math.clamp(n, -Input.LARGEST_CAPACITY, Input.LARGEST_CAPACITY);
    return CopyStep.expansion(
        output, List.of(values), CopyStep.SHIFT, start, 0, values.type().fitting("fill", fill));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Shift that && n == that.n && fill.equals(that.fill);
  }

  @Override
  public int hashCode() {
    return Objects.hash(n, fill);
  }

  @Override
  public String toString() {
    return "shift by %s with %s".formatted(n, fill);
  }
}
