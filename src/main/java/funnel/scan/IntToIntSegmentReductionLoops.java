package funnel.scan;

import funnel.jit.Accumulator;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

@Twins({
  "IntToLong",
  "IntToDouble",
  "LongToLong",
  "LongToDouble",
  "FloatToFloat",
  "FloatToDouble",
  "DoubleToDouble"
})
final class IntToIntSegmentReductionLoops implements SegmentReductionStep.Loops {

  private static final ValueLayout.@Element OfInt ELEMENTS = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.@Accumulator OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfInt STARTS = ValueLayout.JAVA_INT_UNALIGNED;

  private static final int BLOCK = 1 << 10; // words of heads

  IntToIntSegmentReductionLoops() {}

  @Override
  public MemorySegment memory(int length) {
    return MemorySegment.ofArray(new @Accumulator int[length]);
  }

  @Override
  public void widen(MemorySegment elements, int length, MemorySegment wide) {
    ParallelRows.run(
        length,
        ParallelRows.mayBeShared(elements, wide) ? length : 0,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            @Accumulator int value = elements.getAtIndex(ELEMENTS, i);
            wide.setAtIndex(VALUES, i, value);
          }
        });
  }

  @Override
  public void last(MemorySegment values, int length, long[] heads, MemorySegment output) {
    boolean isShared =
        ParallelRows.mayBeShared(values, values) && ParallelRows.mayBeShared(output, output);
    int[] before = new int[heads.length / BLOCK + 2]; // segments
    for (int w = 0; w < heads.length; w++) {
      before[w / BLOCK + 1] += Long.bitCount(heads[w]);
    }
    Arrays.parallelPrefix(before, Integer::sum);
    ParallelRows.run(
        Math.ceilDiv(heads.length, BLOCK),
        isShared ? length : 0,
        (from, to) -> {
          int s = before[from] - 1; // each ends where the next one begins
          int end = Math.min(to * BLOCK, heads.length);
          for (int w = from * BLOCK; w < end; w++) {
            for (long left = heads[w]; left != 0; left &= left - 1) {
              int next = w * Long.SIZE + Long.numberOfTrailingZeros(left);
              if (s >= 0) {
                output.setAtIndex(VALUES, s, values.getAtIndex(VALUES, next - 1));
              }
              s++;
            }
          }
          if (end == heads.length && length > 0) {
            output.setAtIndex(VALUES, s, values.getAtIndex(VALUES, length - 1));
          }
        });
  }

  @Override
  public void last(
      MemorySegment values,
      int length,
      MemorySegment starts,
      int segments,
      MemorySegment output,
      Number none) {
    @Accumulator int ofEmpty = (@Accumulator Integer) none;
    boolean isShared =
        ParallelRows.mayBeShared(values, starts) && ParallelRows.mayBeShared(output, output);
    ParallelRows.run(
        segments,
        isShared ? segments : 0,
        (from, to) -> {
          for (int s = from; s < to; s++) {
            int next = s + 1 < segments ? starts.getAtIndex(STARTS, s + 1) : length;
            int end = Math.min(next, length); // starts may be past cut-off inputs
            boolean isEmpty = end <= starts.getAtIndex(STARTS, s);
            output.setAtIndex(VALUES, s, isEmpty ? ofEmpty : values.getAtIndex(VALUES, end - 1));
          }
        });
  }
}
