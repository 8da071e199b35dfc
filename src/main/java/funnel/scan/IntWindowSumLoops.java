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
          for (int i = from; i < to; i++) {
            int own = given == null ? 0 : given.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
            int before = i - IntWindowSumKernels.width(kind, own, i, rows);
            @Element int far = before < 0 ? 0 : sums.getAtIndex(VALUES, before);
            output.setAtIndex(VALUES, i, sums.getAtIndex(VALUES, i) - far);
          }
        });
  }
}
