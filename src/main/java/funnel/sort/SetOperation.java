package funnel.sort;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.select.Select;
import funnel.transform.GatherStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Union, intersection and differences of two sorted arrays, or of the rows of two tables by keys.
 *
 * <p><b>Definition.</b> The inputs must be sorted in ascending order, or {@linkplain #descending
 * descending}, or {@linkplain #by in a user-defined order}; the output has the same order. Inputs
 * may contain equal elements (they are multisets). Of {@code m} equal elements in the first array
 * and {@code n} in the second the output has
 *
 * <ul>
 *   <li>{@link #union}: all {@code m}, and after them the last {@code n - m} of the second array if
 *       {@code n > m};
 *   <li>{@link #intersection}: the first {@code min(m, n)} of the first array;
 *   <li>{@link #difference}: the last {@code m - n} of the first array if {@code m > n};
 *   <li>{@link #symmetricDifference}: those of the difference, or the last {@code n - m} of the
 *       second array if {@code n > m}.
 * </ul>
 *
 * <p>For 1, 3, 3, 3, 7 and 3, 3, 4 the union is 1, 3, 3, 3, 4, 7, the intersection 3, 3, the
 * difference 1, 3, 7 and the symmetric difference 1, 3, 4, 7. The elements are bytes (0 to 255),
 * ints, longs, floats or doubles, of the same type in both arrays and the output. The output's
 * length is found on the device, where later operations of the plan use it.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="sets"}
 *
 * <p>Elements are <b>equal</b> if neither comes before the other: in the library's orders all NaN
 * are equal, and -0.0 and 0.0 are not. All keep their bits.
 *
 * <p><b>Unsorted inputs</b> are not detected: the output then has some of their elements, in no
 * order; no other memory is read or written.
 *
 * <p><b>Empty inputs</b> are empty sets. There is no <b>in-place</b> form: the output must not
 * overlap the inputs. Both inputs together must not be longer than an array can be.
 *
 * <p><b>Cost</b> on a device: a {@linkplain Merge merge} with positions, flags for its elements,
 * and a {@linkplain Select selection} by them, 8 launches. Per element of {@code w} bytes, with
 * {@code s} the share that is kept, these move {@code 2w + 4}, {@code 2w + 5} and {@code 2w + sw +
 * 2} bytes. Extra memory: {@code w + 5} bytes per element of both arrays. A run of {@code r} equal
 * elements costs {@code 2 log2(r)} steps for each of them. On the JVM all cores work on stretches
 * of both arrays.
 *
 * <p>Immutable. After {@code set_union}, {@code set_intersection}, {@code set_difference} and
 * {@code set_symmetric_difference} of the C++ standard library and Thrust, and their forms by key.
 */
public final class SetOperation implements Operation {

  private final String name;
  private final int kept;
  private final MergeOrder order;
  private final boolean isOfRows;

  private SetOperation(String name, int kept, MergeOrder order, boolean isOfRows) {
    this.name = name;
    this.kept = kept;
    this.order = order;
    this.isOfRows = isOfRows;
  }

  private static SetOperation ascending(String name, int kept) {
    return new SetOperation(name, kept, MergeOrder.ASCENDING, false);
  }

  /** The elements that are in either array. */
  public static SetOperation union() {
    return ascending(
        "union",
        IntSetMembersKernels.MATCHED + IntSetMembersKernels.FIRST + IntSetMembersKernels.SECOND);
  }

  /** The elements that are in both arrays. */
  public static SetOperation intersection() {
    return ascending("intersection", IntSetMembersKernels.MATCHED);
  }

  /** The elements that are in the first array and not in the second. */
  public static SetOperation difference() {
    return ascending("difference", IntSetMembersKernels.FIRST);
  }

  /** The elements that are in exactly one of the arrays. */
  public static SetOperation symmetricDifference() {
    return ascending(
        "symmetric difference", IntSetMembersKernels.FIRST + IntSetMembersKernels.SECOND);
  }

  /** This operation on descending arrays. */
  public SetOperation descending() {
    return new SetOperation(name, kept, MergeOrder.DESCENDING, isOfRows);
  }

  /**
   * This operation on arrays in the order of a comparison.
   *
   * @throws IllegalArgumentException if the comparison is of rows
   */
  public SetOperation by(Comparison comparison) {
    return new SetOperation(name, kept, MergeOrder.ofElements(comparison), isOfRows);
  }

  /**
   * This operation on rows: the first two inputs have the keys of two tables, and columns follow.
   * For a union or symmetric difference they are in pairs of the same type, one of the first table
   * and one of the second. For an intersection or a difference, whose rows are all from the first
   * table, they are columns of that table alone. Each column is as long as its table's keys. The
   * output has the keys of the rows that are kept, and {@code output + "_1"}, {@code output + "_2"}
   * and so on have their columns.
   *
   * <p>For the keys 1, 3, 3 and 3, 4, the columns 10, 30, 31 and 32, 40 give 10, 30, 31, 40 in the
   * union and 10, 31, 40 in the symmetric difference; the column 10, 30, 31 gives 30 in the
   * intersection and 10, 31 in the difference. The rows' keys decide, by the rules above.
   *
   * {@snippet class="funnel.docs.SortSnippets" region="setRows"}
   *
   * <p>Positions are found once, and keys and columns are gathered by them: {@code 4 + 2w} bytes
   * for each kept element of {@code w} bytes, and 8 bytes of extra memory for each row of both
   * tables.
   */
  public SetOperation rows() {
    return new SetOperation(name, kept, order, true);
  }

  private boolean takesPairs() {
    return (kept & IntSetMembersKernels.SECOND) != 0;
  }

  /**
   * @param output the name of the output, an array whose length is found
   * @param inputs the two sorted arrays; for rows columns too
   * @throws IllegalArgumentException if inputs are too few or too many, two that belong together
   *     have different types, the keys are not of the comparison's type, or both together could be
   *     longer than an array
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (isOfRows && takesPairs()) {
      Merge.requirePairs(this, inputs);
    } else if (isOfRows && inputs.size() < 3) {
      throw new IllegalArgumentException(
          "%s takes keys of two tables, and then columns of the first, given=%s inputs"
              .formatted(this, inputs.size()));
    }
    String positions = output + ".positions";
    String elements = isOfRows ? positions : output + ".merged";
    String members = isOfRows ? output + ".members" : output;
    List<Input> keys = isOfRows ? inputs.subList(0, 2) : inputs;
    MergeStep merge =
        Merge.merge(this, output + ".merge", keys, order, isOfRows ? null : elements, positions);
    String flags = members + ".flags";
    int most = most(merge);
    Primitive select =
        Select.step(
            members,
            new Input(
                elements, isOfRows ? ElementType.INT : merge.first().type(), merge.capacity()),
            new Input(flags, ElementType.BYTE, merge.capacity()),
            most);
    String count =
        Objects.requireNonNull(
            Objects.requireNonNull(select.asIs().layout().written().get(members)).found());
    SetMembersStep decides = new SetMembersStep(merge, kept, most, members, count, false, isOfRows);
    SetMembersStep whole = new SetMembersStep(merge, kept, most, members, count, true, isOfRows);
    List<Primitive> columns = isOfRows ? columns(output, inputs, merge, members) : List.of();
    List<Primitive> parts = new ArrayList<>(List.of(merge, decides, select));
    List<Primitive> onJvm = new ArrayList<>(List.of(whole));
    parts.addAll(columns);
    onJvm.addAll(columns);
    return new Expansion(
        List.of(Composite.of(output, parts, Merge.visible(output, parts), onJvm)), List.of());
  }

  private List<Primitive> columns(
      String output, List<Input> inputs, MergeStep merge, String positions) {
    List<Input> columns = inputs.subList(2, inputs.size());
    List<Primitive> all = new ArrayList<>();
    if (takesPairs()) {
      all.add(new MergedColumnStep(output, merge.first(), merge.second(), merge, positions));
      all.addAll(MergedColumnStep.ofPairs(this, output, columns, merge, positions));
    } else {
      String keys = merge.first().name();
      all.add(take(output, merge.first(), keys, merge, positions));
      columns.forEach(
          column -> all.add(take(output + "_" + all.size(), column, keys, merge, positions)));
    }
    return all;
  }

  /** Only the first array has elements of an intersection or difference. */
  private int most(MergeStep merge) {
    return takesPairs() ? merge.capacity() : merge.first().capacity();
  }

  private GatherStep take(
      String output, Input column, String keys, MergeStep merge, String positions) {
    return new GatherStep(output, column.name(), positions, null, keys, column.type(), most(merge));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SetOperation that
        && kept == that.kept
        && order.equals(that.order)
        && isOfRows == that.isOfRows;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kept, order, isOfRows);
  }

  @Override
  public String toString() {
    return "%s of sets%s, %s".formatted(name, isOfRows ? " of rows" : "", order);
  }
}
