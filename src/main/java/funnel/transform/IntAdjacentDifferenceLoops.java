package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** JVM form of {@link AdjacentDifferenceStep}. */
@Twins({"Long", "Float", "Double"})
final class IntAdjacentDifferenceLoops implements AdjacentDifferenceStep.Loops {

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;

  IntAdjacentDifferenceLoops() {}

  @Override
  public void subtract(MemorySegment values, MemorySegment differences, int length) {
    ParallelRows.run(
        length,
        ParallelRows.mayBeShared(values, differences) ? length : 0,
        (from, to) -> rows(values, differences, from, to));
  }

  private static void rows(MemorySegment values, MemorySegment differences, int from, int to) {
    int begin = Math.max(from, 1);
    if (from == 0) {
      differences.setAtIndex(VALUES, 0, values.getAtIndex(VALUES, 0));
    }
    @Element int[] x = array(values);
    @Element int[] y = array(differences);
    if (x != null && y != null) {
      subtract(x, index(values) + begin, y, index(differences) + begin, to - begin);
      return;
    }
    for (int i = begin; i < to; i++) {
      @Element int before = values.getAtIndex(VALUES, i - 1);
      differences.setAtIndex(VALUES, i, values.getAtIndex(VALUES, i) - before);
    }
  }

  private static void subtract(@Element int[] x, int from, @Element int[] y, int to, int count) {
    for (int k = 0; k < count; k++) {
      y[to + k] = x[from + k] - x[from + k - 1];
    }
  }

  /** The array that memory is, or null. */
  private static @Element int @Nullable [] array(MemorySegment memory) {
    return memory.address() % VALUES.byteSize() == 0
            && memory.heapBase().orElse(null) instanceof @Element int[] array
        ? array
        : null;
  }

  private static int index(MemorySegment memory) {
    return (int) (memory.address() / VALUES.byteSize());
  }
}
