package funnel.transform;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.ToIntFunction;

/**
 * A byte, 1 or 0, for each bit: see {@link Bits#toFlags}.
 *
 * @param id the name of the array of flags, and of the primitive in its tasks' names
 * @param bits the bits, an array of ints
 * @param flags the number of flags
 */
record FlagsOfBitsStep(String id, String bits, int flags) implements Primitive {

  private static final ValueLayout.OfLong EIGHT_BYTES =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(flags);
    int blocks = Math.max(1, Math.ceilDiv(most, BitsKernels.UNPACKED));
    ToIntFunction<Lengths> length = // fewer only of an input that is cut off
        lengths -> (int) Math.min(most, lengths.length(bits) * (long) Integer.SIZE);
    return Step.of(this, setting)
        .number(BitsKernels.LENGTH_AT, length)
        .reads("bits", bits, BitsKernels.FROM_AT)
        .writes("flags", id, ElementType.BYTE, most, length, BitsKernels.TO_AT)
        .requires(
            lengths -> {
              if (lengths.length(bits) * (long) Integer.SIZE < most) {
                throw new IllegalArgumentException(
                    "flags %s of %s bits: %s has only length=%s, of %s bits each"
                        .formatted(id, most, bits, lengths.length(bits), Integer.SIZE));
              }
            })
        .counts()
        .onDevice(
            launches ->
                launches.add(
                    "unpack", BitsKernels.class, "unpack", Grid.of(blocks, BitsKernels.THREADS)))
        .onJvm(run -> unpack(run, run.input(bits), run.output(id)));
  }

  private void unpack(JvmRun run, MemorySegment words, MemorySegment output) {
    int length = (int) Math.min(output.byteSize(), run.length(bits) * (long) Integer.SIZE);
    ParallelRows.run(
        Math.ceilDiv(length, Byte.SIZE),
        ParallelRows.mayBeShared(words, output) ? length : 0,
        (from, to) -> {
          int whole = Math.min(to, length / Byte.SIZE);
          for (int i = from; i < whole; i++) {
            long eight = eight(words.get(ValueLayout.JAVA_BYTE, i));
            output.set(EIGHT_BYTES, i * (long) Byte.SIZE, eight);
          }
          for (int i = whole * Byte.SIZE; whole < to && i < length; i++) {
            int bit = words.get(ValueLayout.JAVA_BYTE, i / Byte.SIZE) >> i % Byte.SIZE & 1;
            output.set(ValueLayout.JAVA_BYTE, i, (byte) bit);
          }
        });
  }

  /** Eight bits as eight bytes, the lowest first. */
  private static long eight(byte bits) {
    long each = (bits & 0xffL) * 0x0101010101010101L & 0x8040201008040201L;
    return each + 0x7f7f7f7f7f7f7f7fL >>> 7 & 0x0101010101010101L;
  }
}
