package funnel.sort;

import funnel.operator.Comparison;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** A comparison of rows on the JVM, as a comparison of their positions. */
interface RowComparator extends Comparison.IntComparator {

  /**
   * Takes the rows' columns, which it copies.
   *
   * @param columns two or three columns
   */
  void take(List<MemorySegment> columns);
}
