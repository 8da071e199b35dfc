package funnel.sort;

import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** A comparison of rows of one type. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntRowComparator implements MergeOrder.Rows {

  /* Rows are read at random. They are copied to arrays, since reads of a segment would look up its
   * kind for each element.
   *
   * Always run as a copy of this class in which Placeholder.transform() is a constant.
   */

  private static final long serialVersionUID = 1L;

  private static final ValueLayout.@Element OfInt KEYS = ValueLayout.JAVA_INT_UNALIGNED;

  private @Element int[] x = new @Element int[0];
  private @Element int[] y = x;
  private @Element int[] z = x;

  IntRowComparator() {}

  @Override
  public void take(List<MemorySegment> columns) {
    x = array(columns.get(0));
    y = array(columns.get(1));
    z = columns.size() > 2 ? array(columns.get(2)) : x;
  }

  private static @Element int[] array(MemorySegment column) {
    @Element int[] array = new @Element int[(int) (column.byteSize() / KEYS.byteSize())];
    MemorySegment.copy(column, KEYS, 0, array, 0, array.length);
    return array;
  }

  @Override
  public int compare(int first, int second) {
    return switch (Placeholder.transform()) {
      case IntOvertakes.COMPARED_ROWS_OF_2 ->
          Placeholder.compare(
              JvmValues.of(x[first]),
              JvmValues.of(y[first]),
              JvmValues.of(x[second]),
              JvmValues.of(y[second]));
      default ->
          Placeholder.compare(
              JvmValues.of(x[first]),
              JvmValues.of(y[first]),
              JvmValues.of(z[first]),
              JvmValues.of(x[second]),
              JvmValues.of(y[second]),
              JvmValues.of(z[second]));
    };
  }
}
