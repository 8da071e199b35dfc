package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An arithmetic sequence: indices, ramps.
 *
 * <p><b>Definition.</b> {@code y[i] = start + i * step} for {@code i} from 0 below {@code length}:
 * with a length of 4, from 10 in steps of -3, it is 10, 7, 4, 1. By default it is 0, 1, 2, 3. The
 * length is stated, and there is no input; or it is that of an input, whose elements are not read
 * and which an earlier operation may find. The output has any type; it stays on the device, where
 * later operations of the plan may take it.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="made"}
 *
 * <p><b>Arithmetic</b> is that of the type. Integers wrap around; bytes are the low 8 bits of the
 * ints. Floats and doubles are {@code Math.fma(i, step, start)}, with one rounding and the same
 * bits on every engine; the index of a float is exact up to 2^24.
 *
 * <p><b>A length of 0</b> gives an empty output.
 *
 * <p><b>Cost.</b> The output is written once; no extra memory. Other numbers and lengths do not
 * need another compilation of the kernel.
 *
 * <p>Immutable. After {@code iota} of the C++ standard library and {@code sequence} of Thrust.
 */
public final class Iota implements Operation {

  /** The length of a sequence that is as long as its input. */
  static final int LIKE = -1;

  private final ElementType type;
  private final Number start;
  private final Number step;
  private final int length;

  private Iota(ElementType type, Number start, Number step, int length) {
    this.type = type;
    this.start = start;
    this.step = step;
    this.length = length;
  }

  /**
   * The numbers 0, 1, 2 and so on.
   *
   * @param type the type of the array
   * @param length the number of elements
   * @throws IllegalArgumentException if the length is negative or more than an array can have
   */
  public static Iota of(ElementType type, int length) {
    return new Iota(
        Objects.requireNonNull(type, "type"),
        type.fitting("start", 0),
        type.fitting("step", 1),
        Input.requireLength("Iota.of: length", length));
  }

  /**
   * The numbers 0, 1, 2 and so on, as many as the input has elements, an array of any type.
   *
   * @param type the type of the sequence
   */
  public static Iota of(ElementType type) {
    return new Iota(
        Objects.requireNonNull(type, "type"),
        type.fitting("start", 0),
        type.fitting("step", 1),
        LIKE);
  }

  /**
   * This sequence from another start.
   *
   * @throws IllegalArgumentException if it {@linkplain ElementType#fitting does not fit} the type
   */
  public Iota from(Number newStart) {
    return new Iota(
        type, type.fitting("start", Objects.requireNonNull(newStart, "start")), step, length);
  }

  /**
   * This sequence with another step; for bytes, any int.
   *
   * @throws IllegalArgumentException if it {@linkplain ElementType#fitting does not fit} the type
   */
  public Iota step(Number newStep) {
    ElementType wide = type == ElementType.BYTE ? ElementType.INT : type;
    return new Iota(
        type, start, wide.fitting("step", Objects.requireNonNull(newStep, "step")), length);
  }

  /**
   * A primitive for the positions 0, 1, 2 and so on of an array's elements.
   *
   * @param id the name of their array
   * @param input the other array, whose length may be found on the device
   */
  public static Primitive positions(String id, Input input) {
    return progression(id, input, ElementType.INT, 0, 1);
  }

  private static TabulateStep progression(
      String id, Input like, ElementType type, Number start, Number step) {
    return new TabulateStep(
        id,
        TabulateStep.PROGRESSION,
        like.name(),
        type,
        MoveLoops.bits(type, start),
        MoveLoops.bits(type, step),
        TabulateStep.ALL,
        like.capacity());
  }

  static void requireNone(Operation operation, List<Input> inputs) {
    if (!inputs.isEmpty()) {
      throw new IllegalArgumentException(
          "%s takes no input, given=%s".formatted(operation, inputs.size()));
    }
  }

  /** A progression without input, or if the length is {@link #LIKE}, as long as the only input. */
  static Expansion progression(
      Operation of,
      String output,
      List<Input> inputs,
      ElementType type,
      Number start,
      Number step,
      int length) {
    if (length == LIKE) {
      Input like = Expansion.only(inputs, of);
      return new Expansion(List.of(progression(output, like, type, start, step)), List.of());
    }
    requireNone(of, inputs);
    return TabulateStep.expansion(
        output,
        TabulateStep.PROGRESSION,
        type,
        MoveLoops.bits(type, start),
        MoveLoops.bits(type, step),
        length);
  }

  /**
   * The primitives of this sequence.
   *
   * @param output name of the output, an array
   * @param inputs none, or one if its length is not stated
   * @throws IllegalArgumentException if there are others
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    return progression(this, output, inputs, type, start, step, length);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Iota that
        && type == that.type
        && start.equals(that.start)
        && step.equals(that.step)
        && length == that.length;
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, start, step, length);
  }

  @Override
  public String toString() {
    return "iota of %s from %s in steps of %s".formatted(type, start, step);
  }
}
