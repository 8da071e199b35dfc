package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import java.util.List;

/**
 * Flags as bits: a bit for each byte, 32 per int.
 *
 * <p><b>Definition.</b> Bit {@code i % 32} of int {@code i / 32} is 1 if byte {@code i} is not 0;
 * the lowest bit is bit 0. The flags 1, 0, 7 are the int 5. Bits after the last flag are 0. The
 * bits stay on the device, where later operations of the plan may take them: selections and
 * partitions of {@code flagged} elements, and segments by head bits.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="bits"}
 *
 * <p><b>The length</b> of the flags may be found by an earlier operation; then that of the bits is
 * found too.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p><b>Cost.</b> The flags are read once and the bits, an eighth of their size, written once; no
 * extra memory.
 *
 * <p>Immutable. After {@code packbits} of NumPy with {@code bitorder="little"}, and the validity
 * bitmaps of Arrow.
 */
public final class Bits implements Operation {

  private static final Bits OF_FLAGS = new Bits();

  private Bits() {}

  /** The bits of flags, an array of bytes. */
  public static Bits ofFlags() {
    return OF_FLAGS;
  }

  /**
   * The primitives of this operation.
   *
   * @param output name of the output, an array of ints
   * @param inputs the flags
   * @throws IllegalArgumentException if there is not exactly one input, or it is not of bytes
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input flags = Expansion.only(inputs, this);
    if (flags.type() != ElementType.BYTE) {
      throw new IllegalArgumentException(
          "%s takes bytes, input %s is of type %s".formatted(this, flags.name(), flags.type()));
    }
    return new Expansion(List.of(new BitsStep(output, flags)), List.of());
  }

  @Override
  public String toString() {
    return "bits of flags";
  }
}
