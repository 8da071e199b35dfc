package funnel.cli;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.io.ElementFile;
import funnel.io.Pieces;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The groups of a file's keys, piece by piece through one plan, merged on the host. */
final class FileGroups {

  private static final String KEYS = "keys";
  private static final String VALUES = "values";
  private static final String OUTPUT = "y";
  private static final String COUNTS = OUTPUT + "_1";

  private final List<GroupColumn> columns;
  private long[] keys = {};
  private long[] counts = {};
  private final List<Object> results = new ArrayList<>(); // long[] or double[]

  private FileGroups(List<GroupColumn> columns) {
    this.columns = columns;
  }

  /**
   * Groups the elements of a file.
   *
   * @param values as many as keys, or null if columns need none
   * @throws funnel.io.FileChangedException if somebody wrote to a file
   */
  static FileGroups run(
      Funnel funnel, Pieces pieces, @Nullable ElementFile values, List<GroupColumn> columns)
      throws IOException {
    FileGroups groups = new FileGroups(columns);
    ElementType keyType = pieces.source().type();
    ElementType valueType = values == null ? ElementType.INT : values.type();
    GroupBy groupBy =
        GroupBy.of(
            Stream.concat(
                    Stream.of(Aggregate.count()), columns.stream().map(GroupColumn::aggregate))
                .toArray(Aggregate[]::new));
    Plan.Builder builder = funnel.plan("file").input(KEYS, keyType, pieces.capacity());
    if (values == null) {
      builder.add(OUTPUT, groupBy, KEYS);
    } else {
      builder.input(VALUES, valueType, pieces.capacity()).add(OUTPUT, groupBy, KEYS, VALUES);
    }
    try (Plan plan = builder.build()) {
      pieces.forEach(
          (piece, from) -> {
            Elements some = Elements.of(piece, keyType);
            Map<String, Elements> inputs = Map.of(KEYS, some);
            if (values != null) {
              MemorySegment of = values.piece(from, from + some.length());
              inputs = Map.of(KEYS, some, VALUES, Elements.of(of, valueType));
            }
            groups.add(plan.run(inputs), keyType, valueType);
          });
    }
    if (values != null) {
      values.requireUnchanged();
    }
    return groups;
  }

  private void add(Results chunk, ElementType keyType, ElementType valueType) {
    long[] newKeys = (long[]) GroupColumn.wide(chunk, OUTPUT, keyType);
    long[] newCounts = (long[]) GroupColumn.wide(chunk, COUNTS, ElementType.INT);
    List<Object> found = new ArrayList<>();
    for (int c = 0; c < columns.size(); c++) {
      found.add(columns.get(c).of(chunk, OUTPUT + "_" + (c + 2), valueType));
    }
    if (results.isEmpty()) {
      keys = newKeys;
      counts = newCounts;
      results.addAll(found);
      return;
    }
    Merged merged = Merged.of(keys, newKeys);
    for (int c = 0; c < columns.size(); c++) {
      GroupColumn column = columns.get(c);
      results.set(
          c,
          results.get(c) instanceof long[] longs
              ? merged.combined(column, longs, (long[]) found.get(c))
              : merged.combined(
                  column, (double[]) results.get(c), (double[]) found.get(c), counts, newCounts));
    }
    counts = merged.combined(GroupColumn.COUNT, counts, newCounts);
    keys = merged.keys();
  }

  /**
   * Two sorted arrays of keys as one.
   *
   * @param one where each key is in the first array, or -1
   * @param other where it is in the second, or -1
   */
  private record Merged(long[] keys, int[] one, int[] other) {

    static Merged of(long[] a, long[] b) {
      long[] keys = new long[a.length + b.length];
      int[] one = new int[keys.length];
      int[] other = new int[keys.length];
      int count = 0;
      for (int i = 0, j = 0; i < a.length || j < b.length; count++) {
        boolean isA = j == b.length || i < a.length && a[i] <= b[j];
        boolean isB = i == a.length || j < b.length && b[j] <= a[i];
        keys[count] = isA ? a[i] : b[j];
        one[count] = isA ? i++ : -1;
        other[count] = isB ? j++ : -1;
      }
      return new Merged(
          Arrays.copyOf(keys, count), Arrays.copyOf(one, count), Arrays.copyOf(other, count));
    }

    long[] combined(GroupColumn column, long[] a, long[] b) {
      long[] all = new long[keys.length];
      for (int k = 0; k < all.length; k++) {
        all[k] =
            one[k] < 0
                ? b[other[k]]
                : other[k] < 0 ? a[one[k]] : column.combine(a[one[k]], b[other[k]]);
      }
      return all;
    }

    double[] combined(
        GroupColumn column, double[] a, double[] b, long[] countsOfA, long[] countsOfB) {
      double[] all = new double[keys.length];
      for (int k = 0; k < all.length; k++) {
        if (one[k] < 0 || other[k] < 0) {
          all[k] = one[k] < 0 ? b[other[k]] : a[one[k]];
        } else {
          double more = countsOfB[other[k]];
          double share = more / (countsOfA[one[k]] + more);
          all[k] = column.combine(a[one[k]], b[other[k]], share);
        }
      }
      return all;
    }
  }

  /** How many groups there are. */
  int size() {
    return keys.length;
  }

  /** The keys, ascending. */
  long[] keys() {
    return keys;
  }

  /** A column, longs or doubles. */
  Object column(int c) {
    return results.isEmpty() ? new long[0] : results.get(c);
  }
}
