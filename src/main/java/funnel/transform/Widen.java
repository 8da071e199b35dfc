package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Storage;
import java.util.List;
import java.util.Objects;

/**
 * Stored numbers as the elements that they stand for, such as ints of 16-bit integers.
 *
 * <p><b>Definition.</b> The input has the numbers as they are {@linkplain Storage stored}: as
 * bytes, little-endian, or for {@link Storage#UINT32} as ints. The output has an element for each
 * number, which it holds exactly. The bytes 1, 0, 255, 255 are 1, -1 of {@link Storage#INT16} and
 * 1, 65535 of {@link Storage#UINT16}. The input alone goes to a device; the output stays there,
 * where later operations of the plan may take it. A NaN becomes a NaN.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="widen"}
 *
 * <p><b>The length</b> of the input is a multiple of the stored size: else a run throws an {@link
 * IllegalArgumentException}. For numbers of 16 bits it must be known before the run.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p><b>Cost.</b> The input is read once and the output written once; no extra memory.
 *
 * <p>Immutable. After {@code astype} of NumPy.
 *
 * @param storage how the numbers are stored
 */
public record Widen(Storage<?> storage) implements Operation {

  /** The form for four bytes, as a function. */
  private interface IntToLong extends ElementFunction {
    long of(int value);
  }

  private static final Elementwise INT8 =
      Elementwise.ofInt("widen", v -> (v ^ 128) - 128).to(ElementType.INT);
  private static final Elementwise UINT32 =
      Elementwise.of("widen", (IntToLong) v -> v & 0xffffffffL);

  /** Requires a storage of other bits than elements. */
  public Widen {
    requireNarrow(storage);
  }

  /**
   * The elements of numbers in a storage.
   *
   * @throws IllegalArgumentException if these are elements already, such as {@link Storage#INT32}
   */
  public static Widen from(Storage<?> storage) {
    return new Widen(storage);
  }

  static void requireNarrow(Storage<?> storage) {
    if (!Objects.requireNonNull(storage, "storage").isNarrow()) {
      throw new IllegalArgumentException(
          "%s is %s as it is: there is nothing to convert".formatted(storage, storage.elements()));
    }
  }

  /** The type of elements that stored numbers are given as. */
  public static ElementType given(Storage<?> storage) {
    return storage.bytes() == Integer.BYTES ? ElementType.INT : ElementType.BYTE;
  }

  /**
   * The primitives of this operation.
   *
   * @param output name of the output, an array
   * @param inputs the stored numbers
   * @throws IllegalArgumentException if there is not exactly one input, or it is of another type
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input stored = Expansion.only(inputs, this);
    if (stored.type() != given(storage)) {
      throw new IllegalArgumentException(
          "%s takes %s, input %s is of type %s"
              .formatted(this, given(storage), stored.name(), stored.type()));
    }
    return switch (storage.bytes()) {
      case Byte.BYTES -> INT8.expand(output, inputs);
      case Integer.BYTES -> UINT32.expand(output, inputs);
      default ->
          new Expansion(
              List.of(new HalvesStep(output, stored.name(), storage, true, stored.capacity())),
              List.of());
    };
  }

  @Override
  public String toString() {
    return "widen from " + storage;
  }
}
