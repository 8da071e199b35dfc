package funnel.sort;

import funnel.operator.Comparison;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A comparison of rows on the JVM, as a comparison of their positions. */
interface RowComparator extends Comparison.IntComparator {

  /**
   * Takes the rows' columns, which it copies.
   *
   * @param columns two or three columns
   * @param comparator the comparator, called if it is not compiled into the loops
   */
  void take(List<MemorySegment> columns, @Nullable Serializable comparator);
}
