package funnel.bench;

import funnel.scan.Segments;
import funnel.sort.Order;
import funnel.sort.SegmentedSort;
import funnel.sort.Sort;
import funnel.sort.SortedSearch;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The rows of {@link JvmTable} that sort: beside {@code Arrays.parallelSort}, where positions or a
 * column go along of longs that hold both, and of each segment beside {@code Arrays.sort}.
 */
final class JvmSorts {

  private JvmSorts() {}

  static List<String> names() {
    return List.of(
        "sort: keys, INT",
        "sort: keys, LONG",
        "sort: keys, FLOAT",
        "sort: keys, DOUBLE",
        "sort: order, INT",
        "sort: rows, INT",
        "sort: segments of 16, INT",
        "sort: segments of 1000, INT",
        "sort: search, INT");
  }

  static JvmCase.Work work(String of, Object values) {
    return switch (values) {
      case int[] x when of.equals("order") -> packed(x, false);
      case int[] x when of.equals("rows") -> packed(x, true);
      case int[] x when of.equals("search") -> search(x);
      case int[] x when of.startsWith("segments") ->
          segments(x, Integer.parseInt(of.substring(of.lastIndexOf(' ') + 1)));
      default -> keys(values);
    };
  }

  private static JvmCase.Work keys(Object x) {
    int length = Array.getLength(x);
    Class<?> type = x.getClass().getComponentType();
    Object y = Array.newInstance(type, length);
    return new JvmCase.Work(
        Sort.ascending(),
        Array.newInstance(type, length),
        List.of(x),
        () -> {
          System.arraycopy(x, 0, y, 0, length);
          switch (y) {
            case int[] ints -> Arrays.parallelSort(ints);
            case long[] longs -> Arrays.parallelSort(longs);
            case float[] floats -> Arrays.parallelSort(floats);
            default -> Arrays.parallelSort((double[]) y);
          }
          return y;
        });
  }

  /** Positions in the keys' order, or a column. */
  private static JvmCase.Work packed(int[] x, boolean isOfRows) {
    int[] y = new int[x.length];
    int[] column = x.clone();
    long[] packed = new long[x.length];
    int[] into = new int[x.length];
    return new JvmCase.Work(
        isOfRows ? Sort.ascending().rows() : Order.ascending(),
        isOfRows ? Map.of("result_1", into) : into,
        isOfRows ? List.of(x, column) : List.of(x),
        () -> {
          for (int i = 0; i < x.length; i++) {
            packed[i] = ((long) x[i] << 32) | i;
          }
          Arrays.parallelSort(packed);
          for (int i = 0; i < x.length; i++) {
            y[i] = isOfRows ? column[(int) packed[i]] : (int) packed[i];
          }
          return isOfRows ? JvmCase.NOTHING : y;
        });
  }

  private static JvmCase.Work segments(int[] x, int length) {
    int[] y = new int[x.length];
    int[] offsets = new int[Math.ceilDiv(x.length, length)];
    Arrays.setAll(offsets, i -> i * length);
    return new JvmCase.Work(
        SegmentedSort.ascending().segments(Segments.byOffsets()),
        new int[x.length],
        List.of(x, offsets),
        () -> {
          System.arraycopy(x, 0, y, 0, x.length);
          for (int from = 0; from < x.length; from += length) {
            Arrays.sort(y, from, Math.min(from + length, x.length));
          }
          return y;
        });
  }

  private static JvmCase.Work search(int[] x) {
    int[] sorted = x.clone();
    Arrays.sort(sorted);
    int[] y = new int[x.length];
    return new JvmCase.Work(
        SortedSearch.binarySearch(),
        new int[x.length],
        List.of(sorted, x),
        () -> {
          for (int i = 0; i < x.length; i++) {
            y[i] = Arrays.binarySearch(sorted, x[i]);
          }
          return JvmCase.NOTHING; // of equal ones, any
        });
  }
}
