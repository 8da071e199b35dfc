package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Flags as bits, a bit for each byte, 32 per int; and bits as flags.
 *
 * <p><b>Definition.</b> For {@link #ofFlags}, bit {@code i % 32} of int {@code i / 32} is 1 if byte
 * {@code i} is not 0; the lowest bit is bit 0. The flags 1, 0, 7 are the int 5. Bits after the last
 * flag are 0. {@link #toFlags} is the reverse: byte {@code i} is bit {@code i % 32} of int {@code i
 * / 32}, so that three flags of the int 5 are 1, 0, 1; later bits are ignored. The output stays on
 * the device, where later operations of the plan may take it. Bits may be taken by selections and
 * partitions of {@code flagged} elements, and by segments by head bits.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="bits"}
 *
 * <p><b>The length</b> of the flags may be found by an earlier operation; then that of the bits is
 * found too. That of bits that become flags must be known before the run.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p><b>Cost.</b> The flags are read or written once, and so are the bits, an eighth of their size;
 * no extra memory.
 *
 * <p>Immutable. After {@code packbits} and {@code unpackbits} of NumPy with {@code
 * bitorder="little"}, the validity bitmaps of Arrow, and the words of a {@link java.util.BitSet}.
 */
public final class Bits implements Operation {

  private static final int OF_FLAGS = -1;

  private final int flags;

  private Bits(int flags) {
    this.flags = flags;
  }

  /** The bits of flags, an array of bytes. */
  public static Bits ofFlags() {
    return new Bits(OF_FLAGS);
  }

  /**
   * The flags of bits, an array of ints: a byte of 1 or 0 for each of the first {@code length}
   * bits.
   *
   * @throws IllegalArgumentException if the length is negative, or more than an array can have; in
   *     a run, with both numbers, if there are fewer bits
   */
  public static Bits toFlags(int length) {
    return new Bits(Input.requireLength("flags of bits: length", length));
  }

  /**
   * The primitives of this operation.
   *
   * @param output name of the output, an array of ints, or of bytes for {@link #toFlags}
   * @param inputs the flags or bits
   * @throws IllegalArgumentException if there is not exactly one input, or it is of another type
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input input = Expansion.only(inputs, this);
    ElementType type = flags == OF_FLAGS ? ElementType.BYTE : ElementType.INT;
    if (input.type() != type) {
      throw new IllegalArgumentException(
          "%s takes %ss, input %s is of type %s"
              .formatted(this, type.name().toLowerCase(Locale.ROOT), input.name(), input.type()));
    }
    return new Expansion(
        List.of(
            flags == OF_FLAGS
                ? new BitsStep(output, input)
                : new FlagsOfBitsStep(output, input.name(), flags)),
        List.of());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bits that && flags == that.flags;
  }

  @Override
  public int hashCode() {
    return flags;
  }

  @Override
  public String toString() {
    return flags == OF_FLAGS ? "bits of flags" : flags + " flags of bits";
  }
}
