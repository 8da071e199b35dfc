package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** JVM form of {@link SubtractLeft}. */
@Twins({"Long", "Float", "Double"})
final class IntSubtractLeftLoops implements SubtractLeft.Loops {

  private static final int BLOCK = 1 << 10;

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;

  IntSubtractLeftLoops() {}

  @Override
  public void subtract(MemorySegment values, MemorySegment differences, int length) {
    ParallelRows.run(
        length,
        ParallelRows.mayBeShared(values, differences) ? length : 0,
        (from, to) -> rows(values, differences, from, to));
  }

  /** In blocks, of which loops over arrays make vectors, after the element before each. */
  private static void rows(MemorySegment values, MemorySegment differences, int from, int to) {
    int most = Math.min(BLOCK, to - from);
    @Element int[] x = new @Element int[most + 1];
    @Element int[] y = new @Element int[most];
    int count;
    for (int first = from; first < to; first += count) {
      count = Math.min(most, to - first);
      int before = Math.min(first, 1);
      long at = (first - before) * VALUES.byteSize();
      MemorySegment.copy(values, VALUES, at, x, 1 - before, count + before);
      subtract(x, y, count);
      if (first == 0) {
        y[0] = x[1];
      }
      MemorySegment.copy(y, 0, differences, VALUES, first * VALUES.byteSize(), count);
    }
  }

  private static void subtract(@Element int[] x, @Element int[] y, int count) {
    for (int k = 0; k < count; k++) {
      y[k] = x[k + 1] - x[k];
    }
  }
}
