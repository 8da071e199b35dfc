package funnel.group;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** JVM form of {@link SegmentLast}. */
@Twins({"Long", "Float", "Double"})
final class IntSegmentLastLoops implements SegmentLast.Loops {

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfInt STARTS = ValueLayout.JAVA_INT_UNALIGNED;

  IntSegmentLastLoops() {}

  @Override
  public void last(
      MemorySegment values,
      int length,
      MemorySegment starts,
      int segments,
      MemorySegment output,
      Number none) {
    @Element int ofEmpty = (@Element Integer) none;
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
