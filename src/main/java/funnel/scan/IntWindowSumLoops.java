package funnel.scan;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** JVM form of {@link WindowSumStep}. */
@Twins({"Long"})
final class IntWindowSumLoops implements WindowSumStep.Loops {

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;

  IntWindowSumLoops() {}

  @Override
  public void subtract(
      MemorySegment sums,
      @Nullable MemorySegment given,
      MemorySegment output,
      int length,
      int kind,
      int rows) {
    ParallelRows.run(
        length,
        ParallelRows.mayBeShared(sums, given, output) ? length : 0,
        (from, to) -> {
          if (given == null) {
            rows(sums, output, from, to, rows);
          } else {
            given(sums, given, output, from, to, kind, rows);
          }
        });
  }

  private static void rows(MemorySegment sums, MemorySegment output, int from, int to, int rows) {
    int whole = Math.clamp(rows, from, to);
    long bytes = VALUES.byteSize();
    MemorySegment.copy(sums, from * bytes, output, from * bytes, (whole - from) * bytes);
    for (int i = whole; i < to; i++) {
      @Element int far = sums.getAtIndex(VALUES, i - rows);
      output.setAtIndex(VALUES, i, sums.getAtIndex(VALUES, i) - far);
    }
  }

  private static void given(
      MemorySegment sums,
      MemorySegment given,
      MemorySegment output,
      int from,
      int to,
      int kind,
      int rows) {
    for (int i = from; i < to; i++) {
      int own = given.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
      int before = i - IntWindowSumKernels.width(kind, own, i, rows);
      @Element int far = before < 0 ? 0 : sums.getAtIndex(VALUES, before);
      output.setAtIndex(VALUES, i, sums.getAtIndex(VALUES, i) - far);
    }
  }
}
