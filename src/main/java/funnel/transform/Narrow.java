package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.operator.Storage;
import java.util.List;

/**
 * Elements as numbers that are stored in fewer bytes, such as ints as 16-bit integers.
 *
 * <p><b>Definition.</b> The reverse of {@link Widen}: the ints 1, -1 are the bytes 1, 0, 255, 255
 * of {@link Storage#INT16}. Of an integer that does not fit, the low bits are stored; {@link
 * Storage#unfit} says for which that is so. A float becomes the nearest half float, as {@link
 * Storage} says. The output alone leaves a device.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="widen"}
 *
 * <p><b>The length</b> may be found by an earlier operation; then that of the output is found too.
 * At most 2<sup>30</sup> - 4 elements become numbers of 16 bits.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p><b>Cost.</b> The input is read once and the output written once; no extra memory.
 *
 * <p>Immutable. After {@code astype} of NumPy.
 *
 * @param storage how the numbers are stored
 */
public record Narrow(Storage<?> storage) implements Operation {

  private static final Elementwise INT8 = Elementwise.ofInt("narrow", v -> v).to(ElementType.BYTE);
  private static final Elementwise UINT32 =
      Elementwise.ofLong("narrow", v -> v).to(ElementType.INT);

  /** Requires a storage of other bits than elements. */
  public Narrow {
    Widen.requireNarrow(storage);
  }

  /**
   * The numbers in a storage of elements.
   *
   * @throws IllegalArgumentException if these are elements already, such as {@link Storage#INT32}
   */
  public static Narrow to(Storage<?> storage) {
    return new Narrow(storage);
  }

  /** The type of the output: bytes, or ints for numbers of 32 bits. */
  public ElementType outputType() {
    return Widen.given(storage);
  }

  /**
   * The primitives of this operation.
   *
   * @param output name of the output, an array
   * @param inputs the elements
   * @throws IllegalArgumentException if there is not exactly one input, or it is of another type,
   *     or may have too many elements
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input elements = Expansion.only(inputs, this);
    if (elements.type() != storage.elements()) {
      throw new IllegalArgumentException(
          "%s takes %s, input %s is of type %s"
              .formatted(this, storage.elements(), elements.name(), elements.type()));
    }
    return switch (storage.bytes()) {
      case Byte.BYTES -> INT8.expand(output, inputs);
      case Integer.BYTES -> UINT32.expand(output, inputs);
      default -> {
        int most = Input.LARGEST_CAPACITY / Short.BYTES;
        if (elements.capacity() > most) {
          throw new IllegalArgumentException(
              "%s of %s elements, at most %s become bytes of one array: work in pieces"
                  .formatted(this, elements.capacity(), most));
        }
        yield new Expansion(
            List.of(new HalvesStep(output, elements.name(), storage, false, elements.capacity())),
            List.of());
      }
    };
  }

  @Override
  public String toString() {
    return "narrow to " + storage;
  }
}
