package funnel.group;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows by groups: of the rows whose keys are equal, how many there are, sums, least and largest
 * elements and others.
 *
 * <p><b>Definition.</b> The first input has keys, ints or longs, and each of the others is a
 * column, as long. The output has the distinct keys in ascending order, and the outputs {@code
 * output + "_1"}, {@code output + "_2"} and so on have the {@linkplain Aggregate aggregates}, one
 * of each group. Of the keys 7, 9, 7 and the column 3, 4, 1, by {@code count()} and {@code sum(1)},
 * they are 7, 9 and 2, 1 and 4, 4. All are as long as there are groups, which is found on the
 * device, where later operations of the plan take them as they are.
 *
 * {@snippet class="funnel.docs.GroupSnippets" region="group"}
 *
 * <p><b>Order.</b> Rows of a group are combined in the order that they came in, so that operators
 * need not be commutative. Which of them meet which depends on how many rows there are, and on
 * where the group is among them; floating-point results have the same bits on the JVM, in the
 * emulator and on every device, run after run. They are not those of a plain loop.
 *
 * <p><b>Empty inputs</b> have no groups. <b>In place</b> is nothing: outputs may not overlap the
 * inputs. Columns are bytes (0 to 255), ints, longs, floats or doubles.
 *
 * <p><b>Cost</b> on a device. Keys are sorted once, or not at all {@linkplain #runs in runs}. A
 * single column of ints or floats goes along with them, 8 bytes a row and pass; otherwise positions
 * do ({@link funnel.sort.Order}), and each column that is used is gathered once. Each sum, minimum
 * or other combination reads its column once and writes a value a group; variances and where the
 * least or largest is take two. They and several keys take another pass for the groups' numbers, of
 * 13 bytes a row and key. Extra memory: as for the sort, a column in the order of groups for each
 * that is used, and 24 bytes a row for each variance.
 *
 * <p>The JVM sorts nothing by one array of keys that are close to each other, where from the least
 * to the largest there are no more than four numbers for each row, or 65536, nor by keys of which
 * few are distinct. Values are then combined as they come, in tables of their groups;
 * floating-point sums in the tree of the sorted order.
 *
 * <p>Immutable. After {@code reduce_by_key} of Thrust and {@code groupby} of data frames.
 */
public final class GroupBy implements Operation {

  private final int arraysOfKeys;
  private final boolean isSorted;
  private final List<Aggregate> aggregates;

  private GroupBy(int arraysOfKeys, boolean isSorted, List<Aggregate> aggregates) {
    this.arraysOfKeys = arraysOfKeys;
    this.isSorted = isSorted;
    this.aggregates = aggregates;
  }

  /** By keys in any order, these aggregates; by none, the distinct keys alone. */
  public static GroupBy of(Aggregate... aggregates) {
    return new GroupBy(1, false, List.of(aggregates));
  }

  /**
   * The same by several keys: the first {@code arrays} inputs have keys, and rows are of one group
   * if all of theirs are equal. Groups are in the order of the first keys, then the second and so
   * on. The distinct ones of the second array are {@code output + "_key_2"}, and so on. Columns are
   * numbered after them, aggregates as before. Of the keys 7, 9, 7 and 1, 0, 2 there are three
   * groups, whose keys are 7, 7, 9 and 1, 2, 0.
   *
   * {@snippet class="funnel.docs.GroupSnippets" region="keys"}
   *
   * @throws IllegalArgumentException if {@code arrays} is below 1
   */
  public GroupBy keys(int arrays) {
    if (arrays < 1) {
      throw new IllegalArgumentException("arrays of keys=%d: give 1 at least".formatted(arrays));
    }
    return new GroupBy(arrays, isSorted, aggregates);
  }

  /**
   * The same of runs: a group is a longest stretch of neighbours whose keys are equal, and groups
   * come in the order that they are in. Of sorted keys these are the same groups, and nothing is
   * sorted. This is what Thrust and CUB call reduction by key. Keys that are sorted once serve
   * columns that come later:
   *
   * {@snippet class="funnel.docs.GroupSnippets" region="kept"}
   */
  public GroupBy runs() {
    return new GroupBy(arraysOfKeys, true, aggregates);
  }

  /** What is computed of each group. */
  public List<Aggregate> aggregates() {
    return aggregates;
  }

  /** How many of the inputs have keys. */
  public int arraysOfKeys() {
    return arraysOfKeys;
  }

  /** Whether groups are {@linkplain #runs runs}. */
  public boolean isOfRuns() {
    return isSorted;
  }

  /**
   * What a plan's builder adds for these groups.
   *
   * @param output name of the keys, and what those of the aggregates begin with
   * @param inputs the keys, and columns
   * @throws IllegalArgumentException if there are no keys, they are neither ints nor longs, there
   *     is no such column, or an operator is not defined on it
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    int most = aggregates.stream().mapToInt(each -> each.column).max().orElse(0);
    if (inputs.size() < arraysOfKeys + most) {
      throw new IllegalArgumentException(
          "%s takes %d arrays of keys and %d columns, given=%d inputs"
              .formatted(this, arraysOfKeys, most, inputs.size()));
    }
    List<Input> keys = inputs.subList(0, arraysOfKeys);
    for (Input key : keys) {
      if (key.type() != ElementType.INT && key.type() != ElementType.LONG) {
        throw new IllegalArgumentException(
            "keys of %s are ints or longs, input %s is of type %s"
                .formatted(this, key.name(), key.type()));
      }
    }
    List<Primitive> parts = new ArrayList<>();
    List<Input> columns = inputs.subList(arraysOfKeys, inputs.size());
    Stream<Input> used =
        aggregates.stream().filter(a -> a.column > 0).map(a -> columns.get(a.column - 1));
    List<String> rows = Stream.concat(keys.stream(), used).map(Input::name).distinct().toList();
    parts.add(new RowLengths(output + ".equal", rows.getFirst(), rows));
    GroupedRows grouped = new GroupedRows(output, keys, columns, aggregates, isSorted, parts);
    Set<String> visible = new LinkedHashSet<>();
    for (int k = 0; k < arraysOfKeys; k++) {
      visible.add(GroupedRows.distinct(output, k));
    }
    int number = 0;
    for (Aggregate aggregate : aggregates) {
      number++;
      String name = output + "_" + number;
      visible.add(name);
      grouped.add(name, aggregate);
    }
    Composite all = Composite.of(output, parts, visible);
    if (!isSorted && arraysOfKeys == 1) {
      Primitive onJvm = GroupedRows.onJvm(output, keys.getFirst(), columns, aggregates, all);
      all = Composite.of(output, parts, visible, List.of(onJvm));
    }
    return new Expansion(List.of(all.exact()), List.of());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GroupBy that
        && arraysOfKeys == that.arraysOfKeys
        && isSorted == that.isSorted
        && aggregates.equals(that.aggregates);
  }

  @Override
  public int hashCode() {
    return Objects.hash(arraysOfKeys, isSorted, aggregates);
  }

  @Override
  public String toString() {
    return "%s by groups%s%s"
        .formatted(
            aggregates,
            arraysOfKeys == 1 ? "" : " of %d keys".formatted(arraysOfKeys),
            isSorted ? " that are runs" : "");
  }
}
