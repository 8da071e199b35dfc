package funnel.group;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.scan.SegmentedScan;
import funnel.select.Runs;
import funnel.sort.Sort;
import funnel.transform.Elementwise;
import funnel.transform.Take;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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
 * <p><b>Cost.</b> Keys are sorted once, with positions ({@link Sort#rows()}), or not at all
 * {@linkplain #runs in runs}; each column that is used is gathered once; and each aggregate is a
 * segmented scan of which the groups' last elements are taken: some {@code 4w + 8} bytes for each
 * row of {@code w} bytes. Extra memory: as for the sort, and {@code 2w} bytes a row for each
 * aggregate.
 *
 * <p>Immutable. After {@code reduce_by_key} of Thrust and {@code groupby} of data frames.
 */
public final class GroupBy implements Operation {

  private static final Elementwise END =
      Elementwise.ofInt("end", (start, length) -> start + length - 1);
  private static final Elementwise COUNT = Elementwise.ofInt("count", length -> length);
  private static final Elementwise MEAN = Elementwise.ofDouble("mean", (sum, count) -> sum / count);

  private final boolean isSorted;
  private final List<Aggregate> aggregates;

  private GroupBy(boolean isSorted, List<Aggregate> aggregates) {
    this.isSorted = isSorted;
    this.aggregates = aggregates;
  }

  /** By keys in any order, these aggregates; by none, the distinct keys alone. */
  public static GroupBy of(Aggregate... aggregates) {
    return new GroupBy(false, List.of(aggregates));
  }

  /**
   * The same of runs: a group is a longest stretch of neighbours whose keys are equal, and groups
   * come in the order that they are in. Of sorted keys these are the same groups, and nothing is
   * sorted.
   */
  public GroupBy runs() {
    return new GroupBy(true, aggregates);
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
    if (inputs.isEmpty() || inputs.size() - 1 < most) {
      throw new IllegalArgumentException(
          "%s takes keys and %d columns, given=%d inputs".formatted(this, most, inputs.size()));
    }
    Input keys = inputs.getFirst();
    if (keys.type() != ElementType.INT && keys.type() != ElementType.LONG) {
      throw new IllegalArgumentException(
          "keys of %s are ints or longs, input %s is of type %s"
              .formatted(this, keys.name(), keys.type()));
    }
    List<Primitive> parts = new ArrayList<>();
    List<Input> rows = isSorted ? inputs : sorted(output + ".rows", inputs, parts);
    parts.addAll(Runs.encode().expand(output, rows.subList(0, 1)).primitives());
    int capacity = keys.capacity();
    Input starts = new Input(output + "_starts", ElementType.INT, capacity);
    Input lengths = new Input(output + "_lengths", ElementType.INT, capacity);
    Input ends = added(output + ".ends", END, List.of(starts, lengths), ElementType.INT, parts);
    Set<String> visible = new LinkedHashSet<>(List.of(output));
    for (Aggregate aggregate : aggregates) {
      String name = output + "_" + visible.size();
      visible.add(name);
      switch (aggregate.kind) {
        case COUNT -> added(name, COUNT, List.of(lengths), ElementType.INT, parts);
        case FIRST -> taken(name, rows.get(aggregate.column), starts, parts);
        case LAST -> taken(name, rows.get(aggregate.column), ends, parts);
        case COMBINED -> combined(name, aggregate, rows, ends, parts);
        case MEAN -> {
          Input sums = combined(name + ".sums", aggregate, rows, ends, parts);
          Input counts =
              added(
                  name + ".counts",
                  COUNT.to(ElementType.DOUBLE),
                  List.of(lengths),
                  ElementType.DOUBLE,
                  parts);
          added(name, MEAN, List.of(sums, counts), ElementType.DOUBLE, parts);
        }
      }
    }
    return new Expansion(List.of(Composite.of(output, parts, visible)), List.of());
  }

  /** The rows in the order of the keys. */
  private List<Input> sorted(String name, List<Input> inputs, List<Primitive> parts) {
    Set<Integer> used = new LinkedHashSet<>(List.of(0));
    aggregates.stream().filter(each -> each.column > 0).forEach(each -> used.add(each.column));
    List<Input> given = new ArrayList<>(List.of(inputs.getFirst()));
    List<Input> rows = new ArrayList<>(inputs);
    for (int column : used) {
      Input input = inputs.get(column);
      given.add(input);
      rows.set(column, new Input(name + "_" + (given.size() - 1), input.type(), input.capacity()));
    }
    parts.addAll(Sort.ascending().rows().expand(name, given).primitives());
    return rows;
  }

  private static Input added(
      String name, Elementwise function, List<Input> of, ElementType type, List<Primitive> parts) {
    parts.addAll(function.expand(name, of).primitives());
    return new Input(name, type, of.getFirst().capacity());
  }

  private static Input taken(String name, Input of, Input positions, List<Primitive> parts) {
    parts.add(
        new Take(name, of.name(), positions.name(), null, null, of.type(), positions.capacity()));
    return new Input(name, of.type(), positions.capacity());
  }

  private static Input combined(
      String name, Aggregate aggregate, List<Input> rows, Input ends, List<Primitive> parts) {
    Input column = rows.get(aggregate.column);
    ElementType type = aggregate.combinedIn(column.type());
    if (type != column.type()) {
      column =
          added(name + ".wide", identity(column.type()).to(type), List.of(column), type, parts);
    }
    Input scanned = new Input(name + ".scanned", type, column.capacity());
    SegmentedScan scan =
        SegmentedScan.inclusive(Objects.requireNonNull(aggregate.operator)).byKeys();
    parts.addAll(scan.expand(scanned.name(), List.of(column, rows.getFirst())).primitives());
    return taken(name, scanned, ends, parts);
  }

  private static Elementwise identity(ElementType type) {
    return switch (type) {
      case BYTE, INT -> Elementwise.ofInt("int", v -> v);
      case LONG -> Elementwise.ofLong("long", v -> v);
      case FLOAT -> Elementwise.ofFloat("float", v -> v);
      case DOUBLE -> Elementwise.ofDouble("double", v -> v);
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GroupBy that
        && isSorted == that.isSorted
        && aggregates.equals(that.aggregates);
  }

  @Override
  public int hashCode() {
    return Objects.hash(isSorted, aggregates);
  }

  @Override
  public String toString() {
    return "%s by groups%s".formatted(aggregates, isSorted ? " that are runs" : "");
  }
}
