package funnel;

import static funnel.rank.Interpolation.between;
import static funnel.rank.Interpolation.product;

import funnel.Array.Top;
import funnel.array.Node;
import funnel.array.Ref;
import funnel.array.Rows;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.rank.Quantiles;
import funnel.sort.SortedSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Groups of rows with equal keys. What is asked of them and read together is one operation.
 *
 * {@snippet class="funnel.docs.ArraySnippets" region="groups"}
 *
 * <p>Groups are in the ascending order of their keys, or those of runs in the order of the rows.
 * The rows of a group are combined in their order. {@link Aggregate} says what each aggregate is.
 * Columns are as long as the keys.
 *
 * @param <K> the keys' class
 */
public final class Groups<K extends Array<?, K>> {

  private final K keys;
  private final Node.Applied node;
  private final List<Ref> of;
  private final Function<Operand, Ref> inTable;

  /**
   * Groups.
   *
   * @param inTable the column of the rows that are grouped, from that of all rows
   * @param rows those that are grouped, if they are a table's
   */
  Groups(K keys, GroupBy by, List<Ref> of, Function<Operand, Ref> inTable, @Nullable Rows rows) {
    this.keys = keys;
    this.node = groups(by, of, rows);
    this.of = of;
    this.inTable = inTable;
  }

  static Node.Applied groups(GroupBy by, List<Ref> of, @Nullable Rows rows) {
    for (Ref key : of) {
      if (key.type() != ElementType.INT && key.type() != ElementType.LONG) {
        throw new IllegalArgumentException(
            "keys of groups are ints or longs, not %s: convert them, by asInts() or a function"
                .formatted(key.text()));
      }
    }
    Node.Applied groups = Node.groups(by, of).in(rows);
    return by.isOfRuns() ? groups : groups.ascending();
  }

  /** The distinct keys; of several arrays of keys those of the first. */
  public K keys() {
    return keys.like(node.output(keys.type()));
  }

  /**
   * The groups' keys of one of several arrays of keys.
   *
   * @throws IllegalArgumentException if the rows are not grouped by it
   */
  public <S extends Array<?, S>> S keys(S column) {
    int at = of.indexOf(inTable.apply(column));
    if (at < 0) {
      throw new IllegalArgumentException(
          "%s is not among the %s arrays of keys".formatted(column, of.size()));
    }
    return column.like(key(at, column.type()));
  }

  /** The keys of an array of keys. */
  private Ref key(int at, ElementType type) {
    return node.output(at == 0 ? "" : "_key_" + (at + 1), type);
  }

  private Ref of(Aggregate aggregate, @Nullable Operand column, ElementType type) {
    return node.part(aggregate, column == null ? null : inTable.apply(column), type);
  }

  private Ints ints(Aggregate aggregate, @Nullable Operand column) {
    return new Ints(keys.funnel, of(aggregate, column, ElementType.INT));
  }

  private Longs longs(Aggregate aggregate, Operand column) {
    return new Longs(keys.funnel, of(aggregate, column, ElementType.LONG));
  }

  private Doubles doubles(Aggregate aggregate, Operand column) {
    return new Doubles(keys.funnel, of(aggregate, column, ElementType.DOUBLE));
  }

  private <S extends Array<?, S>> S same(Aggregate aggregate, S column) {
    return column.like(of(aggregate, column, column.type()));
  }

  /** The number of rows of each group. */
  public Ints count() {
    return ints(Aggregate.count(), null);
  }

  /** The sum of a column in each group. */
  public Longs sum(Bytes column) {
    return longs(Aggregate.sum(1), column);
  }

  /** The sum of a column in each group. */
  public Longs sum(Ints column) {
    return longs(Aggregate.sum(1), column);
  }

  /** The sum of a column in each group; sums wrap around. */
  public Longs sum(Longs column) {
    return longs(Aggregate.sum(1), column);
  }

  /** The sum of a column in each group. */
  public Doubles sum(Floats column) {
    return doubles(Aggregate.sum(1), column);
  }

  /** The sum of a column in each group. */
  public Doubles sum(Doubles column) {
    return doubles(Aggregate.sum(1), column);
  }

  /** The least element of a column in each group; NaN if there is one. */
  public <S extends Array<?, S>> S min(S column) {
    return same(Aggregate.min(1), column);
  }

  /** The least element of a column in each group, from 0 to 255. */
  public Ints min(Bytes column) {
    return ints(Aggregate.min(1), column);
  }

  /** The largest element of a column in each group; NaN if there is one. */
  public <S extends Array<?, S>> S max(S column) {
    return same(Aggregate.max(1), column);
  }

  /** The largest element of a column in each group, from 0 to 255. */
  public Ints max(Bytes column) {
    return ints(Aggregate.max(1), column);
  }

  /** The elements of a column in each group combined, in the order of the rows. */
  public <S extends Array<?, S>> S reduce(Operator operator, S column) {
    return same(Aggregate.of(operator, 1), column);
  }

  /** The values of a column, from 0 to 255, in each group combined, in the order of the rows. */
  public Ints reduce(Operator operator, Bytes column) {
    return ints(Aggregate.of(operator, 1), column);
  }

  /** The element of each group's first row. */
  public <S extends Array<?, S>> S first(S column) {
    return same(Aggregate.first(1), column);
  }

  /** The element of each group's last row. */
  public <S extends Array<?, S>> S last(S column) {
    return same(Aggregate.last(1), column);
  }

  /** The mean of a column in each group. */
  public Doubles mean(Array<?, ?> column) {
    return doubles(Aggregate.mean(1), column);
  }

  /** The variance of a column in each group. */
  public Doubles variance(Array<?, ?> column) {
    return doubles(Aggregate.variance(1), column);
  }

  /** The variance of a column in each group with the divisor rows - 1; NaN for a single row. */
  public Doubles sampleVariance(Array<?, ?> column) {
    return doubles(Aggregate.sampleVariance(1), column);
  }

  /**
   * The square root of the {@linkplain #variance variance} of a column in each group: infinite from
   * 1e154 on, and inexact below 1e-146, where the variance overflows or vanishes.
   */
  public Doubles standardDeviation(Array<?, ?> column) {
    return variance(column).map(v -> Math.sqrt(v));
  }

  /** The standard deviation with the divisor rows - 1; NaN for a single row. */
  public Doubles sampleStandardDeviation(Array<?, ?> column) {
    return sampleVariance(column).map(v -> Math.sqrt(v));
  }

  /**
   * An exact quantile of a column in each group, an element of it, see {@link Quantiles}: 3 and 9
   * for 0.5 and the groups 3, 1, 4 and 9. Quantiles, medians and modes of one column that are read
   * together share one sort.
   *
   * @throws IllegalArgumentException if {@code quantile} is not from 0 to 1
   */
  public <S extends Array<?, S>> S quantile(double quantile, S column) {
    Quantiles.of(quantile); // checks it, and ranks are the same
    return ascending(column)
        .at(offsets().zip(count(), (start, rows) -> start + rank(quantile, rows)));
  }

  /** The rank of a quantile; the backend ptx has no Math.ceil of doubles. */
  static int rank(double quantile, int rows) {
    double place = quantile * rows;
    int before = (int) place;
    return before < place ? before : Math.max(before - 1, 0);
  }

  /** The median of a column in each group, of an even number of rows the lower of two. */
  public <S extends Array<?, S>> S median(S column) {
    return quantile(0.5, column);
  }

  private interface Place extends ElementFunction {
    int of(int start, int rows, double place);
  }

  private interface Between extends ElementFunction {
    double of(double first, double second, double weight, double product);
  }

  /**
   * A quantile of a column in each group between two elements, as {@link Quantiles#interpolated}
   * has it: 3.5 and 9 for 0.5 and the groups 3, 1, 4, 5 and 9.
   *
   * @throws IllegalArgumentException if {@code quantile} is not from 0 to 1
   */
  public <S extends Array<?, S>> Doubles interpolatedQuantile(double quantile, S column) {
    Quantiles.of(quantile); // checks it
    Funnel funnel = keys.funnel;
    Doubles places = count().mapToDouble(rows -> quantile * (rows - 1));
    Doubles weights = places.map(place -> place - (int) place);
    Place below = (start, _, place) -> start + (int) place;
    Place above = (start, rows, place) -> start + Math.min((int) place + 1, rows - 1);
    S sorted = ascending(column);
    Doubles first = asDoubles(sorted.at(funnel.ints(below, offsets(), count(), places)));
    Doubles second = asDoubles(sorted.at(funnel.ints(above, offsets(), count(), places)));
    Doubles products = first.zip(second, weights, (v, w, share) -> product(v, w, share));
    Between between = (v, w, share, product) -> between(v, w, share, product);
    return funnel.doubles(between, first, second, weights, products);
  }

  private static Doubles asDoubles(Array<?, ?> column) {
    return switch (column) {
      case Bytes x -> x.asInts().asDoubles();
      case Ints x -> x.asDoubles();
      case Longs x -> x.asDoubles();
      case Floats x -> x.asDoubles();
      case Doubles x -> x;
    };
  }

  /** The median of a column in each group, of an even number of rows the mean of two. */
  public <S extends Array<?, S>> Doubles interpolatedMedian(S column) {
    return interpolatedQuantile(0.5, column);
  }

  /**
   * How many distinct elements a column has in each group: 2 and 1 for 3, 1, 3 and 4. All NaN are
   * equal, 0.0 and -0.0 are not.
   */
  public <S extends Array<?, S>> Ints countDistinct(S column) {
    Ints runs = ascending(column).runs().starts();
    return runs.searchAscending(SortedSearch.lowerBound(), ends())
        .zip(
            runs.searchAscending(SortedSearch.upperBound(), offsets()),
            (before, first) -> before - first + 1);
  }

  /**
   * The most frequent element of a column in each group, of several the least: 3 and 4 for 3, 1, 3
   * and 4, 5.
   */
  public <S extends Array<?, S>> S mode(S column) {
    S sorted = ascending(column);
    Ints runs = sorted.runs().starts().unionOfAscending(ends()); // of each group, and the end
    Ints lengths = runs.shift(-1, 0).zip(runs, (end, start) -> end - start);
    Segments ofGroups =
        Segments.ofOffsets(runs.searchAscending(SortedSearch.lowerBound(), offsets()));
    return sorted.at(runs.at(lengths.largest(1, ofGroups).positions()));
  }

  /**
   * The positions of the rows, group after group, in their order in each: 0, 2, 1 for the keys 7,
   * 9, 7.
   */
  public Ints rows() {
    return ints(Aggregate.rows(), null);
  }

  /** Where each group begins among the {@link #rows}: 0, 2 for the keys 7, 9, 7. */
  public Ints offsets() {
    return ints(Aggregate.offsets(), null);
  }

  /**
   * All elements of a column, group after group, in the order of the rows in each: 3, 1 and 4 for
   * 3, 4, 1 and the keys 7, 9, 7. {@code Segments.ofOffsets(lists.offsets())} are the groups, for
   * scans and sorts of each.
   */
  public <S extends Array<?, S>> Top<S> lists(S column) {
    return new Top<>(list(column), rows(), offsets());
  }

  /**
   * The elements of the first {@code n} rows of each group, or of all if there are fewer, and their
   * positions.
   *
   * @throws IllegalArgumentException if {@code n} is negative
   */
  public <S extends Array<?, S>> Top<S> first(int n, S column) {
    Ints counts = atMost(n);
    return some(column, counts, offsets());
  }

  /** The elements of the last {@code n} rows of each group, in their order, like {@link #first}. */
  public <S extends Array<?, S>> Top<S> last(int n, S column) {
    Ints counts = atMost(n);
    return some(column, counts, ends().zip(counts, (end, rows) -> end - rows));
  }

  private Ints atMost(int n) {
    if (n < 0) {
      throw new IllegalArgumentException(
          "n=%s: give the number of rows of each group".formatted(n));
    }
    return count().map(rows -> Math.min(rows, n));
  }

  private <S extends Array<?, S>> Top<S> some(S column, Ints counts, Ints starts) {
    Ints offsets = counts.exclusiveScan(Operator.SUM);
    Ints at =
        starts
            .zip(offsets, (start, before) -> start - before)
            .repeated(counts)
            .mapIndexed((i, shift) -> i + shift);
    return new Top<>(list(column).at(at), rows().at(at), offsets);
  }

  /**
   * The largest {@code n} elements of a column in each group, the largest first, and their rows'
   * positions: {@code name.at(top.positions())} has another column of these rows.
   *
   * @throws IllegalArgumentException if {@code n} is less than 1
   */
  public <S extends Array<?, S>> Top<S> largest(int n, S column) {
    return ofRows(list(column).largest(n, Segments.ofOffsets(offsets())));
  }

  /** The smallest {@code n} elements of a column in each group, like {@link #largest}. */
  public <S extends Array<?, S>> Top<S> smallest(int n, S column) {
    return ofRows(list(column).smallest(n, Segments.ofOffsets(offsets())));
  }

  private <S extends Array<?, S>> Top<S> ofRows(Top<S> ofLists) {
    return new Top<>(ofLists.values(), rows().at(ofLists.positions()), ofLists.offsets());
  }

  private <S extends Array<?, S>> S list(S column) {
    return same(Aggregate.list(1), column);
  }

  private Ints ends() {
    return offsets().zip(count(), (start, rows) -> start + rows);
  }

  /** A column group after group, in ascending order in each. */
  private <S extends Array<?, S>> S ascending(S column) {
    return list(column).sorted(Segments.ofOffsets(offsets()));
  }

  /** The position of the row with the least element of a column in each group. */
  public Ints argMin(Array<?, ?> column) {
    return ints(Aggregate.argMin(1), column);
  }

  /** The position of the row with the largest element of a column in each group. */
  public Ints argMax(Array<?, ?> column) {
    return ints(Aggregate.argMax(1), column);
  }

  /**
   * The keys and numbers of rows of the first and last groups, in words.
   *
   * @throws IllegalArgumentException if {@code most} is negative
   */
  public Preview preview(int most) {
    List<Ref> columns = new ArrayList<>();
    for (int k = 0; k < of.size(); k++) {
      Ref key = of.get(k);
      columns.add(key(k, key.type()).named(key.name()));
    }
    columns.add(count().named("count").ref);
    return Table.of(keys.funnel, columns).preview(most);
  }

  @Override
  public String toString() {
    return "groups by %s".formatted(keys);
  }
}
