package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** JVM form of {@link SubtractLeft}. */
@Twins({"Long", "Float", "Double"})
final class IntSubtractLeftLoops implements SubtractLeft.Loops {

  IntSubtractLeftLoops() {}

  @Override
  public void subtract(MemorySegment values, MemorySegment differences, int length) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    ParallelRows.run(
        length,
        ParallelRows.mayBeShared(values, differences) ? length : 0,
        (from, to) -> {
          if (from == 0) {
            differences.setAtIndex(layout, 0, values.getAtIndex(layout, 0));
          }
          for (int i = Math.max(from, 1); i < to; i++) {
            @Element int before = values.getAtIndex(layout, i - 1);
            differences.setAtIndex(layout, i, values.getAtIndex(layout, i) - before);
          }
        });
  }
}
