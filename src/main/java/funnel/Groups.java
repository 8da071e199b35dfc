package funnel;

import funnel.array.Node;
import funnel.array.Ref;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.rank.Quantiles;
import funnel.sort.Sort;
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
  private final boolean isOfRuns;
  private final Function<Operand, Ref> inTable;

  /**
   * Groups.
   *
   * @param inTable the column of the rows that are grouped, from that of all rows
   */
  Groups(K keys, GroupBy by, List<Ref> of, Function<Operand, Ref> inTable) {
    this.keys = keys;
    this.node = groups(by, of);
    this.of = of;
    this.isOfRuns = by.isOfRuns();
    this.inTable = inTable;
  }

  static Node.Applied groups(GroupBy by, List<Ref> of) {
    for (Ref key : of) {
      if (key.type() != ElementType.INT && key.type() != ElementType.LONG) {
        throw new IllegalArgumentException(
            "keys of groups are ints or longs, not %s: convert them, by asInts() or a function"
                .formatted(key.text()));
      }
    }
    return Node.groups(by, of);
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
    return column.like(node.output(at == 0 ? "" : "_key_" + (at + 1), column.type()));
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
   * An exact quantile of a column in each group, an element of it, see {@link Quantiles}: 3 and 9
   * for 0.5 and the groups 3, 1, 4 and 9. The rows are sorted for it, once for all quantiles of a
   * column that are read together.
   *
   * @throws IllegalArgumentException if {@code quantile} is not from 0 to 1
   */
  public <S extends Array<?, S>> S quantile(double quantile, S column) {
    Quantiles.of(quantile); // checks it, and ranks are the same
    Ints rows = count();
    Ints starts = rows.exclusiveScan(Operator.SUM);
    return ascending(column, starts).at(starts.zip(rows, (start, n) -> start + rank(quantile, n)));
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

  /** A column group after group, in ascending order in each. */
  private <S extends Array<?, S>> S ascending(S column, Ints starts) {
    Ref rows = inTable.apply(column);
    if (isOfRuns) {
      return column.like(rows).sorted(Segments.ofOffsets(starts));
    }
    List<Ref> by = new ArrayList<>(of);
    by.add(rows);
    return column.like(
        Node.rows(Sort.ascending().rows(by.size()), by).part(null, rows, column.type()));
  }

  /** The position of the row with the least element of a column in each group. */
  public Ints argMin(Array<?, ?> column) {
    return ints(Aggregate.argMin(1), column);
  }

  /** The position of the row with the largest element of a column in each group. */
  public Ints argMax(Array<?, ?> column) {
    return ints(Aggregate.argMax(1), column);
  }

  @Override
  public String toString() {
    return "groups by %s".formatted(keys);
  }
}
