package funnel.sort;

import funnel.operator.Comparison;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A comparison of rows on the JVM, as one of the positions that they are at. */
interface RowComparator extends Comparison.IntComparator {

  /**
   * Takes the rows' columns, of which it has copies.
   *
   * @param columns two or three
   * @param comparator what is called if it is not in the loops
   */
  void take(List<MemorySegment> columns, @Nullable Serializable comparator);
}
