package funnel.group;

import funnel.operation.Parts;
import funnel.operator.ElementType;
import funnel.reduce.Moments;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A {@link GroupBy} in parts. The groups of pieces are rows again: keys, then columns of partial
 * results. These rows are grouped like any others. A stream runs it:
 *
 * {@snippet class="funnel.docs.GroupSnippets" region="parts"}
 *
 * @param groupBy the groups
 * @param inputs the types of its inputs
 */
public record GroupParts(GroupBy groupBy, List<ElementType> inputs)
    implements Parts<GroupParts.Groups> {

  /* Sums and counts are combined by sums, most other aggregates by themselves. Those that need more
   * than their own values have several columns:
   *
   *   mean                 sum, count
   *   arg min, arg max     the least or largest element, and where it is: with that of the row of
   *                        groups that has the least again
   *   variance             count, first element, the mean's distance from it, and the variance:
   *                        the moments of a group follow from those of its rows, of which there are
   *                        two at most when two parts are combined
   */

  /**
   * The groups of some pieces.
   *
   * @param rows the number of rows that were grouped
   * @param columns Java arrays of equal length: keys, then partial results
   */
  public record Groups(long rows, List<Object> columns) implements Serializable {}

  /** An aggregate, and those that its value follows from; but for a mean the last is the value. */
  private record Partial(Aggregate of, List<Aggregate> parts) implements Serializable {
    boolean isOfMoments() {
      return parts.size() > 2;
    }
  }

  private int keys() {
    return groupBy.arraysOfKeys();
  }

  private List<Partial> partials() {
    return groupBy.aggregates().stream()
        .map(each -> new Partial(each, each.parts(type(each.column))))
        .toList();
  }

  private List<Aggregate> parts() {
    return partials().stream().flatMap(partial -> partial.parts().stream()).toList();
  }

  private GroupBy ofGroups() {
    List<Aggregate> combined = new ArrayList<>();
    for (Aggregate part : parts()) {
      combined.add(part.ofParts(combined.size() + 1));
    }
    int rows = combined.size() + 1;
    combined.add(Aggregate.first(rows)); // the group's first row, and its last one
    combined.add(Aggregate.last(rows));
    return groupBy.with(combined);
  }

  /** A column's type; null if there is none, which the groups of the first piece reject. */
  private @Nullable ElementType type(int column) {
    int input = keys() + column - 1;
    return column == 0 || input >= inputs.size() ? null : inputs.get(input);
  }

  @Override
  public GroupBy ofPiece() {
    return groupBy.with(parts());
  }

  @Override
  public Groups of(Piece piece) {
    return groups(piece.length(), piece::array, null);
  }

  /**
   * Reads groups.
   *
   * @param rows if these are groups of groups, the columns of their rows
   */
  private Groups groups(long length, Function<String, Object> array, @Nullable List<Object> rows) {
    List<Object> all = new ArrayList<>();
    for (int k = 0; k < keys(); k++) {
      all.add(array.apply(key(k)));
    }
    for (Aggregate part : parts()) {
      Object column = array.apply("_" + (all.size() - keys() + 1));
      if (part.isPosition()) {
        int[] at = (int[]) column;
        long[] before = rows == null ? null : (long[]) rows.get(all.size());
        column = Arrays.stream(at).mapToLong(row -> before == null ? row : before[row]).toArray();
      } else if (column instanceof int[] counts && part.equals(Aggregate.count())) {
        column = Arrays.stream(counts).asLongStream().toArray();
      }
      all.add(column);
    }
    return new Groups(length, all);
  }

  private static String key(int number) {
    return number == 0 ? "" : "_key_" + (number + 1);
  }

  /** Combines groups; with variances two parts at a time. */
  @Override
  public Groups combine(List<Groups> some, Calls onJvm) {
    int half = some.size() / 2;
    if (half > 0 && some.size() > 2 && partials().stream().anyMatch(Partial::isOfMoments)) {
      Groups second = combine(some.subList(half, some.size()), onJvm);
      return combine(List.of(combine(some.subList(0, half), onJvm), second), onJvm);
    }
    if (some.size() == 1) {
      return some.getFirst();
    }
    int keys = keys();
    List<Aggregate> parts = parts();
    List<Object> rows = new ArrayList<>();
    for (int k = 0; k < keys + parts.size(); k++) {
      List<Object> arrays = new ArrayList<>();
      long before = 0;
      for (Groups each : some) {
        Object column = each.columns().get(k);
        long from = before;
        arrays.add(
            k >= keys && parts.get(k - keys).isPosition()
                ? Arrays.stream((long[]) column).map(row -> from + row).toArray()
                : column);
        before += each.rows();
      }
      rows.add(Parts.joined(arrays));
    }
    List<Object> inputs = new ArrayList<>(rows);
    inputs.add(IntStream.range(0, Array.getLength(rows.getFirst())).toArray());
    Outputs results = onJvm.run(ofGroups(), inputs.toArray());
    long all = some.stream().mapToLong(Groups::rows).sum();
    Groups groups = groups(all, name -> results.array(OUTPUT + name), rows);
    int[] first = (int[]) results.array(OUTPUT + "_" + (parts.size() + 1));
    int[] last = (int[]) results.array(OUTPUT + "_" + (parts.size() + 2));
    int at = keys;
    for (Partial partial : partials()) {
      if (partial.isOfMoments()) {
        combine(partial.of(), rows, at, first, last, groups.columns());
      }
      at += partial.parts().size();
    }
    return groups;
  }

  /** Combines the moments of groups, whose count is the column {@code at}. */
  private static void combine(
      Aggregate of, List<Object> rows, int at, int[] first, int[] last, List<Object> groups) {
    double[] means = (double[]) groups.get(at + 2);
    for (int g = 0; g < first.length; g++) {
      if (first[g] != last[g]) {
        Moments all = moments(of, rows, at, first[g]).and(moments(of, rows, at, last[g]));
        means[g] = all.mean();
        if (of.kind != Aggregate.Kind.MEAN_FROM_FIRST) {
          double[] variances = (double[]) groups.get(at + 3);
          variances[g] = all.squares() / (all.count() - of.fewer());
        }
      }
    }
  }

  private static Moments moments(Aggregate of, List<Object> rows, int at, int row) {
    Object firsts = rows.get(at + 1);
    long count = ((long[]) rows.get(at))[row];
    long divisor = count - of.fewer();
    boolean hasSquares = of.kind != Aggregate.Kind.MEAN_FROM_FIRST && divisor > 0;
    return new Moments(
        count,
        firsts instanceof byte[] bytes ? bytes[row] & 0xff : (Number) Array.get(firsts, row),
        ((double[]) rows.get(at + 2))[row],
        hasSquares ? ((double[]) rows.get(at + 3))[row] * divisor : 0);
  }

  @Override
  public void finish(Groups whole, BiConsumer<String, Object> output) {
    List<Object> columns = whole.columns();
    List<Partial> partials = partials();
    for (int k = 0; k < keys(); k++) {
      output.accept(key(k), columns.get(k));
    }
    int end = keys();
    for (int k = 0; k < partials.size(); k++) {
      Partial partial = partials.get(k);
      end += partial.parts().size();
      Object own = columns.get(end - 1);
      output.accept(
          "_" + (k + 1),
          partial.of().kind == Aggregate.Kind.MEAN
              ? means(columns.get(end - 2), (long[]) own)
              : own);
    }
  }

  private static double[] means(Object sums, long[] counts) {
    double[] means = new double[counts.length];
    if (sums instanceof long[] exact) {
      Arrays.setAll(means, g -> exact[g] / (double) counts[g]);
    } else {
      double[] rounded = (double[]) sums;
      Arrays.setAll(means, g -> rounded[g] / counts[g]);
    }
    return means;
  }

  @Override
  public int size(Groups part) {
    return Array.getLength(part.columns().getFirst());
  }
}
