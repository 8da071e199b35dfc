package funnel.transform;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Layout;
import funnel.operation.LengthRule;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A bit for each byte, set if the byte is not zero: see {@link Bits}.
 *
 * @param id the name of the array of bits, and of the primitive in its tasks' names
 * @param flags the bytes
 */
record BitsStep(String id, Input flags) implements Primitive {

  private static final LengthRule WORDS = LengthRule.parts(Integer.SIZE);
  private static final ValueLayout.OfInt INTS = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong EIGHT_BYTES =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private String result() {
    return id + ".length";
  }

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(flags.capacity());
    int blocks = Math.max(1, Math.ceilDiv(most, BitsKernels.TILE));
    return Step.of(this, setting)
        .reads("flags", flags.name(), BitsKernels.FROM_AT, BitsKernels.LENGTH_AT)
        .writesFollowing(
            "bits",
            id,
            ElementType.INT,
            WORDS.of(most),
            result(),
            new Layout.Follows(List.of(flags.name()), WORDS),
            lengths -> WORDS.of(lengths.length(flags.name())),
            BitsKernels.TO_AT)
        .number(BitsKernels.ONE_AT, 1)
        .delivers("length", result(), ElementType.INT)
        .checkedWith(BitsKernels.TILE + 77)
        .onDevice(
            launches ->
                launches.add(
                    "pack", BitsKernels.class, "pack", Grid.of(blocks, BitsKernels.THREADS)))
        .onJvm(this::pack);
  }

  private void pack(JvmRun run) {
    MemorySegment bytes = run.input(flags.name());
    MemorySegment bits = run.output(id);
    int length = run.length(flags.name());
    int words = WORDS.of(length);
    ParallelRows.run(
        words,
        ParallelRows.mayBeShared(bytes, bits) ? length : 0,
        (from, to) -> {
          for (int word = from; word < to; word++) {
            bits.setAtIndex(INTS, word, word(bytes, word * (long) Integer.SIZE, length));
          }
        });
    run.deliver(result(), words);
  }

  private static int word(MemorySegment bytes, long first, int length) {
    int word = 0;
    if (first + Integer.SIZE <= length) {
      for (int b = 0; b < Integer.SIZE; b += 8) {
        long eight = bytes.get(EIGHT_BYTES, first + b);
        long high = ((eight & 0x7f7f7f7f7f7f7f7fL) + 0x7f7f7f7f7f7f7f7fL | eight) >>> 7;
        word |= (int) ((high & 0x0101010101010101L) * 0x0102040810204080L >>> 56) << b;
      }
      return word;
    }
    for (int b = 0; first + b < length; b++) {
      word |= bytes.get(ValueLayout.JAVA_BYTE, first + b) != 0 ? 1 << b : 0;
    }
    return word;
  }
}
