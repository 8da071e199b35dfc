package funnel.scan;

import funnel.jit.Accumulator;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** JVM form of {@link SegmentReduction}, around the scan. */
@Twins({
  "IntToLong",
  "LongToLong",
  "LongToDouble",
  "FloatToFloat",
  "FloatToDouble",
  "DoubleToDouble"
})
final class IntToIntSegmentReductionLoops implements SegmentReduction.Loops {

  private static final ValueLayout.@Element OfInt ELEMENTS = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.@Accumulator OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfInt STARTS = ValueLayout.JAVA_INT_UNALIGNED;

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
            int end = Math.min(next, length); // where inputs were cut off starts are after them
            boolean isEmpty = end <= starts.getAtIndex(STARTS, s);
            output.setAtIndex(VALUES, s, isEmpty ? ofEmpty : values.getAtIndex(VALUES, end - 1));
          }
        });
  }
}
