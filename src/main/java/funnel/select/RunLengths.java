package funnel.select;

import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The lengths of runs that begin at given positions, on the JVM. */
final class RunLengths {

  /** Runs whose starts are copied at a time. */
  private static final int BLOCK = 1 << 10;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private RunLengths() {}

  /** 2, 1, 4 for the starts 0, 2, 3 and the end 7. */
  static void subtract(MemorySegment starts, int runs, int end, MemorySegment lengths) {
    ParallelRows.run(
        runs,
        ParallelRows.mayBeShared(starts, lengths) ? runs : 0,
        (from, to) -> {
          int[] block = new int[Math.min(BLOCK, to - from) + 1];
          int count;
          for (int first = from; first < to; first += count) {
            count = Math.min(BLOCK, to - first);
            int known = Math.min(count + 1, runs - first);
            MemorySegment.copy(starts, INT, INT.byteSize() * first, block, 0, known);
            if (known == count) {
              block[count] = end;
            }
            for (int i = 0; i < count; i++) {
              block[i] = block[i + 1] - block[i];
            }
            MemorySegment.copy(block, 0, lengths, INT, INT.byteSize() * first, count);
          }
        });
  }
}
