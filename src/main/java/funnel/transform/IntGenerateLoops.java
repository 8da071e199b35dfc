package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** JVM form of {@link GenerateStep}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntGenerateLoops implements GenerateStep.Loops {

  private static final int BLOCK = 1 << 10;

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;

  IntGenerateLoops() {}

  @Override
  public void generate(MemorySegment output, int length, boolean isRandom, long start, long step) {
    ParallelRows.run(
        length,
        ParallelRows.mayBeShared(output, output) ? length : 0,
        (from, to) -> rows(output, from, to, isRandom, start, step));
  }

  /** Writes into the segment's array, or into one that is copied block by block. */
  private static void rows(
      MemorySegment output, int from, int to, boolean isRandom, long start, long step) {
    boolean isDirect =
        output.address() % VALUES.byteSize() == 0
            && output.heapBase().orElse(null) instanceof @Element int[];
    int count = isDirect ? to - from : Math.min(BLOCK, to - from);
    @Element
    int[] y = isDirect ? (@Element int[]) output.heapBase().orElseThrow() : new @Element int[count];
    for (int first = from; first < to; first += count) {
      count = Math.min(count, to - first);
      int at = isDirect ? (int) (output.address() / VALUES.byteSize()) + first : 0;
      if (isRandom) {
        random(y, at, first, count, start, step);
      } else {
        progression(y, at, first, count, start, step);
      }
      if (!isDirect) {
        MemorySegment.copy(y, 0, output, VALUES, first * VALUES.byteSize(), count);
      }
    }
  }

  private static void random(
      @Element int[] y, int at, int first, int count, long start, long step) {
    int shift = at - first;
    for (int i = first; i < first + count; i++) {
      y[shift + i] = (@Element int) SplitMix.value(start + (i + 1L) * step, (@Value int) 0);
    }
  }

  private static void progression(
      @Element int[] y, int at, int first, int count, long start, long step) {
    @Value int from = Scalars.ofBits(start, (@Value int) 0);
    @Value int by = Scalars.ofBits(step, (@Value int) 0);
    int shift = at - first; // for vectorization, i itself must be the loop variable
    for (int i = first; i < first + count; i++) {
      y[shift + i] = (@Element int) Scalars.fma((@Value int) i, by, from);
    }
  }
}
