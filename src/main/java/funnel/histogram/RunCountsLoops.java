package funnel.histogram;

import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** JVM form of {@link RunCounts}. */
final class RunCountsLoops {

  private RunCountsLoops() {}

  /** Counts the keys of each bin; gives how many are in any. */
  static int counts(
      MemorySegment keys, int length, MemorySegment counts, ElementType type, int bins) {
    int shared = ParallelRows.mayBeShared(keys, counts) ? bins : 0;
    ParallelRows.run(
        bins,
        shared,
        (first, behind) -> {
          int begin = begin(keys, length, first);
          for (int bin = first; bin < behind; bin++) {
            int end = begin(keys, length, bin + 1);
            if (type == ElementType.INT) {
              counts.set(ValueLayout.JAVA_INT_UNALIGNED, 4L * bin, end - begin);
            } else {
              counts.set(ValueLayout.JAVA_LONG_UNALIGNED, 8L * bin, end - begin);
            }
            begin = end;
          }
        });
    return begin(keys, length, bins);
  }

  /** How many keys are less than a bin. */
  private static int begin(MemorySegment keys, int length, int bin) {
    int low = 0;
    int high = length;
    while (low < high) {
      int middle = low + high >>> 1;
      if (keys.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * middle) < bin) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
