package funnel.sort;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.select.Select;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Union, intersection and differences of two sorted arrays.
 *
 * <p><b>Definition.</b> The inputs are sorted in ascending order, or {@linkplain #descending
 * descending}, or {@linkplain #by in one of yours}, and so is the output. An element may be in them
 * more than once: it is then that often in the set. Of {@code m} equal elements in the first array
 * and {@code n} in the second the output has
 *
 * <ul>
 *   <li>{@link #union}: all {@code m}, and after them the last {@code n - m} of the second array if
 *       these are more;
 *   <li>{@link #intersection}: the first {@code min(m, n)} of the first array;
 *   <li>{@link #difference}: the last {@code m - n} of the first array if these are more;
 *   <li>{@link #symmetricDifference}: these, or the last {@code n - m} of the second array.
 * </ul>
 *
 * <p>Of 1, 3, 3, 3, 7 and 3, 3, 4 the union is 1, 3, 3, 3, 4, 7, the intersection 3, 3, the
 * difference 1, 3, 7 and the symmetric difference 1, 3, 4, 7. The elements are bytes (0 to 255),
 * ints, longs, floats or doubles, both of one type, and the output is of that type. Its length is
 * found on the device, where later operations of the plan take it as it is.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="sets"}
 *
 * <p><b>Equal</b> are elements of which none comes before the other: in the library's orders all
 * NaN are, and -0.0 and 0.0 are not. All keep their bits.
 *
 * <p><b>Inputs that are not sorted</b> are not noticed: what comes out is then some of their
 * elements, in no order; no other memory is read or written.
 *
 * <p><b>Empty inputs</b> are empty sets. <b>In place</b> is nothing: the output may not overlap the
 * inputs. Both inputs together may be as long as an array.
 *
 * <p><b>Cost</b> on a device: a {@linkplain Merge merge} with positions, flags for its elements,
 * and a {@linkplain Select selection} by them, 8 launches. For each element of {@code w} bytes,
 * {@code s} the share that is kept, these move {@code 2w + 4}, {@code 2w + 5} and {@code 2w + sw +
 * 2} bytes. Extra memory: {@code w + 5} bytes an element of both. A run of {@code r} equal elements
 * costs {@code 2 log2(r)} steps for each of them. On the JVM all cores go through stretches of both
 * arrays.
 *
 * <p>Immutable. After {@code set_union}, {@code set_intersection}, {@code set_difference} and
 * {@code set_symmetric_difference} of the C++ standard library and Thrust.
 */
public final class SetOperation implements Operation {

  private final String name;
  private final int kept;
  private final MergeOrder order;

  private SetOperation(String name, int kept, MergeOrder order) {
    this.name = name;
    this.kept = kept;
    this.order = order;
  }

  private static SetOperation ascending(String name, int kept) {
    return new SetOperation(name, kept, MergeOrder.ASCENDING);
  }

  /** What is in either array. */
  public static SetOperation union() {
    return ascending(
        "union", IntMergeKernels.MATCHED + IntMergeKernels.FIRST + IntMergeKernels.SECOND);
  }

  /** What is in both. */
  public static SetOperation intersection() {
    return ascending("intersection", IntMergeKernels.MATCHED);
  }

  /** What is in the first array and not in the second. */
  public static SetOperation difference() {
    return ascending("difference", IntMergeKernels.FIRST);
  }

  /** What is in one of them and not in the other. */
  public static SetOperation symmetricDifference() {
    return ascending("symmetric difference", IntMergeKernels.FIRST + IntMergeKernels.SECOND);
  }

  /** The same of descending arrays. */
  public SetOperation descending() {
    return new SetOperation(name, kept, MergeOrder.DESCENDING);
  }

  /** The same of arrays in the order of a comparison. */
  public SetOperation by(Comparison comparison) {
    return new SetOperation(name, kept, MergeOrder.of(comparison));
  }

  /**
   * What a plan's builder adds for this operation.
   *
   * @param output name of the output, an array of the length that is found
   * @param inputs the two sorted arrays
   * @throws IllegalArgumentException if there are not two inputs, they are not of one type or of
   *     another one than the comparison is of, or they could be longer together than an array is
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    String merged = output + ".merged";
    TileMerge merge =
        Merge.merge(this, output + ".merge", inputs, order, merged, output + ".positions");
    String flags = output + ".flags";
    List<Input> flagged =
        List.of(
            new Input(merged, merge.first().type(), merge.capacity()),
            new Input(flags, ElementType.BYTE, merge.capacity()));
    Primitive select = Select.flagged().expand(output, flagged).primitives().getFirst();
    String count =
        Objects.requireNonNull(
            Objects.requireNonNull(select.layout().written().get(output)).found());
    SetMembers members = new SetMembers(merge, kept, output, count, false);
    SetMembers whole = new SetMembers(merge, kept, output, count, true);
    return new Expansion(
        List.of(
            Composite.of(output, List.of(merge, members, select), Set.of(output), List.of(whole))),
        List.of());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SetOperation that && kept == that.kept && order.equals(that.order);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kept, order);
  }

  @Override
  public String toString() {
    return "%s of sets, %s".formatted(name, order);
  }
}
