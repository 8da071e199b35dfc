package funnel.group;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Parts;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Groups rows by equal keys and computes counts, sums, minima, maxima and other aggregates of each
 * group.
 *
 * <p><b>Definition.</b> The first input has keys, ints or longs, and each other input is a column
 * of the same length. The output has the distinct keys in ascending order, and the outputs {@code
 * output + "_1"}, {@code output + "_2"} and so on have the {@linkplain Aggregate aggregates}, one
 * value for each group, or {@linkplain Aggregate#list all rows}. For the keys 7, 9, 7 and the
 * column 3, 4, 1, with {@code count()} and {@code sum(1)}, they are 7, 9 and 2, 1 and 4, 4. The
 * length of outputs is the number of groups, which is found on the device, where later operations
 * of the plan use it.
 *
 * {@snippet class="funnel.docs.GroupSnippets" region="group"}
 *
 * <p><b>Order.</b> Rows of a group are combined in the order of the input, so that operators need
 * not be commutative. The order of combination depends on the number of rows and on the place of
 * the group among them alone; floating-point results have the same bits on the JVM, in the emulator
 * and on every device, in every run. They differ from those of a plain loop.
 *
 * <p><b>Empty inputs</b> have no groups. There is no <b>in-place</b> form: outputs must not overlap
 * the inputs. Columns are bytes (0 to 255), ints, longs, floats or doubles.
 *
 * <p><b>Cost</b> on a device. Keys are sorted once, or not at all for {@linkplain #runs runs}. A
 * single column of ints or floats is moved with them, 8 bytes per row and pass; otherwise positions
 * are ({@link funnel.sort.Order}), and each column that is used is gathered once. Each sum, minimum
 * or other combination reads its column once and writes a value per group; positions of the least
 * or largest element read it twice, and variances read it and then its distances from the groups'
 * first elements, twice. These, and several keys, take another pass for the groups' numbers, of 13
 * bytes per row and key. Extra memory: that of the sort, a column in the order of groups for each
 * that is used, and 40 bytes per row for each variance, 48 of longs.
 *
 * <p>With one array of keys the JVM does not sort if the keys are close to each other, with at most
 * four numbers per row, or 65536, from the least to the largest key, or if few keys are distinct.
 * Values are then combined in input order, in tables of their groups; floating-point sums in the
 * tree of the sorted order.
 *
 * <p>Immutable. After {@code reduce_by_key} of Thrust and {@code groupby} of data frames.
 *
 * @param arraysOfKeys how many of the inputs have keys
 * @param isOfRuns whether groups are {@linkplain #runs runs}
 * @param aggregates the aggregates of each group
 */
public record GroupBy(int arraysOfKeys, boolean isOfRuns, List<Aggregate> aggregates)
    implements Operation, Serializable {

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if there are no keys
   */
  public GroupBy {
    if (arraysOfKeys < 1) {
      throw new IllegalArgumentException(
          "arrays of keys=%s: give 1 at least".formatted(arraysOfKeys));
    }
    aggregates = List.copyOf(aggregates);
  }

  /**
   * Groups rows by keys in any order and computes these aggregates; without any, only the distinct
   * keys.
   */
  public static GroupBy of(Aggregate... aggregates) {
    return new GroupBy(1, false, List.of(aggregates));
  }

  /**
   * Groups by several keys: the first {@code arrays} inputs have keys, and rows are in the same
   * group if all their keys are equal. Groups are ordered by the first keys, then the second and so
   * on. The groups' keys of the second array are {@code output + "_key_2"}, and so on. Columns are
   * numbered after the keys, aggregates as before. The keys 7, 9, 7 and 1, 0, 2 give three groups,
   * whose keys are 7, 7, 9 and 1, 2, 0.
   *
   * {@snippet class="funnel.docs.GroupSnippets" region="keys"}
   *
   * @throws IllegalArgumentException if {@code arrays} is less than 1
   */
  public GroupBy keys(int arrays) {
    return new GroupBy(arrays, isOfRuns, aggregates);
  }

  /**
   * Groups by runs: a group is a maximal stretch of neighbours with equal keys, and groups keep
   * their order in the input. For sorted keys these are the same groups, without a sort. Thrust and
   * CUB call this reduction by key. Keys that are sorted once can serve later columns:
   *
   * {@snippet class="funnel.docs.GroupSnippets" region="kept"}
   */
  public GroupBy runs() {
    return new GroupBy(arraysOfKeys, true, aggregates);
  }

  GroupBy with(List<Aggregate> others) {
    return new GroupBy(arraysOfKeys, isOfRuns, others);
  }

  /**
   * @param output the name of the keys, and prefix of the names of the aggregates
   * @param inputs the keys, then columns
   * @throws IllegalArgumentException if there are no keys, they are neither ints nor longs, there
   *     is no such column, or an operator is not defined on it
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    int given = inputs.size() - arraysOfKeys;
    if (given < 0) {
      throw new IllegalArgumentException(
          "%s takes %s arrays of keys, given=%s inputs"
              .formatted(this, arraysOfKeys, inputs.size()));
    }
    for (Aggregate aggregate : aggregates) {
      if (aggregate.column > given) {
        throw new IllegalArgumentException(
            "%s: there is no column %s, arrays of keys=%s, columns after these=%s"
                .formatted(aggregate, aggregate.column, arraysOfKeys, given));
      }
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
    parts.add(new RowLengthsStep(output + ".equal", rows.getFirst(), rows));
    GroupedRows grouped = new GroupedRows(output, keys, columns, aggregates, isOfRuns, parts);
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
    if (!isOfRuns && arraysOfKeys == 1 && aggregates.stream().noneMatch(Aggregate::isOfRows)) {
      Primitive onJvm = GroupedRows.onJvm(output, keys.getFirst(), columns, aggregates, all);
      all = Composite.of(output, parts, visible, List.of(onJvm));
    }
    return new Expansion(List.of(all.exact()), List.of());
  }

  /**
   * Requires columns as long as the keys; messages have the caller's names.
   *
   * @param keys the first array of keys
   * @param others the arrays that must be as long, the keys among them
   */
  private record RowLengthsStep(String id, String keys, List<String> others) implements Primitive {

    @Override
    public Step in(Setting setting) {
      Step step = Step.of(this, setting).onDevice(launches -> {}).onJvm(run -> {});
      for (String each : others) {
        step.readsFound(each, each)
            .equallyLong(keys, each, "rows have keys and columns of equal length");
      }
      return step;
    }
  }

  /** The groups of pieces are grouped; counts and positions are longs. Lists are not in parts. */
  @Override
  public Optional<Parts<?>> inParts(List<ElementType> inputs) {
    if (aggregates.stream().anyMatch(Aggregate::isOfRows)) {
      return Optional.empty();
    }
    return Optional.of(new GroupParts(this, List.copyOf(inputs)));
  }

  @Override
  public String toString() {
    return "%s by groups%s%s"
        .formatted(
            aggregates,
            arraysOfKeys == 1 ? "" : " of %s keys".formatted(arraysOfKeys),
            isOfRuns ? " that are runs" : "");
  }
}
