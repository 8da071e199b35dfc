package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** JVM form of primitives that move elements of one width. */
@Twins({"Byte", "Long"})
final class IntMoveLoops implements MoveLoops {

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfInt POSITIONS = ValueLayout.JAVA_INT_UNALIGNED;

  IntMoveLoops() {}

  private static int shared(int length, MemorySegment a, MemorySegment b, MemorySegment c) {
    return ParallelRows.mayBeShared(a, b) && ParallelRows.mayBeShared(c, c) ? length : 0;
  }

  /** Copies the elements at positions into an array. */
  private static void take(
      @Element int[] x,
      int xAt,
      int size,
      int[] positions,
      int from,
      @Element int[] y,
      int yAt,
      int count) {
    for (int i = 0; i < count; i++) {
      y[yAt + i] = x[xAt + Math.clamp(positions[from + i], 0, size - 1)];
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

  @Override
  public void gather(
      MemorySegment values, int size, MemorySegment positions, int length, MemorySegment output) {
    ParallelRows.run(
        size == 0 ? 0 : length,
        shared(length, values, positions, output),
        (from, to) -> {
          @Element int[] x = array(values);
          @Element int[] y = array(output);
          if (x != null
              && y != null
              && positions.address() % POSITIONS.byteSize() == 0
              && positions.heapBase().orElse(null) instanceof int[] p) {
            int at = (int) (positions.address() / POSITIONS.byteSize()) + from;
            take(x, index(values), size, p, at, y, index(output) + from, to - from);
            return;
          }
          for (int i = from; i < to; i++) {
            int at = Math.clamp(positions.getAtIndex(POSITIONS, i), 0, size - 1);
            output.setAtIndex(VALUES, i, values.getAtIndex(VALUES, at));
          }
        });
  }

  @Override
  public void scatter(
      MemorySegment values, MemorySegment positions, int length, MemorySegment output, int size) {
    ParallelRows.run(
        length,
        shared(length, values, positions, output),
        (from, to) -> {
          for (int i = from; i < to; i++) {
            int at = positions.getAtIndex(POSITIONS, i);
            if (at >= 0 && at < size) {
              output.setAtIndex(VALUES, at, values.getAtIndex(VALUES, i));
            }
          }
        });
  }

  @Override
  public void fill(MemorySegment output, int size, long bits) {
    @Element int value = (@Element int) bits;
    ParallelRows.run(
        size,
        shared(size, output, output, output),
        (from, to) -> {
          for (int i = from; i < to; i++) {
            output.setAtIndex(VALUES, i, value);
          }
        });
  }
}
