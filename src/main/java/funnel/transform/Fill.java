package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An array whose elements all have the same value.
 *
 * <p><b>Definition.</b> {@code y[i] = value} for {@code i} from 0 below {@code length}: 7, 7, 7 for
 * 7 and a length of 3. The length is stated, and there is no input; or it is that of an input,
 * whose elements are not read and which an earlier operation may find. The output has any type; it
 * stays on the device, where later operations of the plan may take it. -0.0 stays -0.0; the bits of
 * a NaN are unspecified.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="made"}
 *
 * <p><b>A length of 0</b> gives an empty output.
 *
 * <p><b>Cost.</b> The output is written once; no extra memory. Other values and lengths do not need
 * another compilation of the kernel.
 *
 * <p>Immutable. After {@code fill} of the C++ standard library and Thrust.
 */
public final class Fill implements Operation {

  private record Made(ElementType type, Number value, int length) {} // or Iota.LIKE

  private final Made made;

  private Fill(Made made) {
    this.made = made;
  }

  /**
   * An array of a value.
   *
   * @param type the type of its elements
   * @param value the value of each; for bytes, 0 to 255
   * @param length the number of elements
   * @throws IllegalArgumentException if the value {@linkplain ElementType#fitting does not fit} the
   *     type, or the length is negative or more than an array can have
   */
  public static Fill with(ElementType type, Number value, int length) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(value, "value");
    return new Fill(
        new Made(
            type, type.fitting("value", value), Input.requireLength("Fill.with: length", length)));
  }

  /**
   * An array of a value, as long as the input, an array of any type.
   *
   * @param type the type of its elements
   * @param value the value of each; for bytes, 0 to 255
   * @throws IllegalArgumentException if the value {@linkplain ElementType#fitting does not fit} the
   *     type
   */
  public static Fill with(ElementType type, Number value) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(value, "value");
    return new Fill(new Made(type, type.fitting("value", value), Iota.LIKE));
  }

  /**
   * The primitives of this array.
   *
   * @param output name of the output, an array
   * @param inputs none, or one if its length is not stated
   * @throws IllegalArgumentException if there are others
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Number nothing =
        made.type.isFloating() ? (Number) (-0d) : (Number) 0; // 0.0 would make -0.0 0.0
    return Iota.progression(this, output, inputs, made.type, made.value, nothing, made.length);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Fill that && made.equals(that.made);
  }

  @Override
  public int hashCode() {
    return made.hashCode();
  }

  @Override
  public String toString() {
    return "fill of %s with %s".formatted(made.type, made.value);
  }
}
