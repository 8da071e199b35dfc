package funnel.sort;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.UnknownLengthException;
import funnel.operator.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A merge: the elements of two sorted arrays as one sorted array, or the rows of two tables.
 *
 * <p><b>Definition.</b> The inputs must be sorted in the order of the merge. The output has the
 * elements of both in that order: 1, 2, 3, 3, 3 for 1, 3, 3 and 2, 3; descending, 3, 3, 3, 2, 1 for
 * 3, 3, 1 and 3, 2. The elements are bytes (0 to 255), ints, longs, floats or doubles, of the same
 * type in both inputs; the output has that type and is as long as both together. It stays on the
 * device, where later operations of the plan may take it; its length is computed there, since the
 * lengths of the inputs may be found there.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="merge"}
 *
 * <p><b>Order.</b> Floating-point numbers are in the order of {@link Float#compare} and {@link
 * Double#compare}: -0.0 before 0.0, and NaN after all numbers, or descending before them. They keep
 * their bits. {@link #by} merges in a user-defined order.
 *
 * <p><b>Stable.</b> Equal elements of an input keep their order, and those of the first input come
 * before those of the second. All NaN are equal.
 *
 * <p><b>Unsorted inputs</b> are not detected. The output then has no order, may lack some elements
 * and may have others twice; no other memory is read or written.
 *
 * <p><b>Empty inputs:</b> if one is empty, the output is the other one.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the inputs.
 *
 * <p><b>Cost</b> on a device: each element is read and written once, in two launches. Extra memory:
 * an int for every 4096 elements, or 2048 elements of eight bytes; a plan has memory for both
 * capacities together, however few elements a run finds. On the JVM all cores merge parts of the
 * output, which takes memory for what is there.
 *
 * <p>Immutable. After Odeh, Green, Mwassi, Shmueli and Birk, <i>Merge Path</i>, 2012, {@code merge}
 * and {@code merge_by_key} of Thrust, and {@code DeviceMerge} of CUB.
 */
public final class Merge implements Operation {

  private final MergeOrder order;
  private final boolean isOfRows;

  private Merge(MergeOrder order, boolean isOfRows) {
    this.order = order;
    this.isOfRows = isOfRows;
  }

  /** The merge of ascending elements. */
  public static Merge ascending() {
    return new Merge(MergeOrder.ASCENDING, false);
  }

  /** The merge of descending elements. */
  public static Merge descending() {
    return new Merge(MergeOrder.DESCENDING, false);
  }

  /**
   * The merge of elements that are in the order of a comparison.
   *
   * @throws IllegalArgumentException if the comparison is of rows
   */
  public static Merge by(Comparison comparison) {
    return new Merge(MergeOrder.ofElements(comparison), false);
  }

  /**
   * A merge of rows: the first two inputs are the keys of two tables, and the others are columns in
   * pairs, one of the first table and one of the second, each as long as its table's keys. The two
   * columns of a pair have the same type, which may be any. The output has the keys, and {@code
   * output + "_1"}, {@code output + "_2"} and so on have each pair's elements in the order of their
   * keys. For the keys 1, 3 and 2, 3 and the columns 10, 30 and 20, 31 they are 1, 2, 3, 3 and 10,
   * 20, 30, 31.
   *
   * {@snippet class="funnel.docs.SortSnippets" region="mergeRows"}
   *
   * <p>Positions are merged once, and columns are gathered by them: {@code 4 + 2w} bytes for each
   * element of {@code w} bytes, and 4 bytes of extra memory for each row.
   */
  public Merge rows() {
    return new Merge(order, true);
  }

  /**
   * @param output name of the output, an array
   * @param inputs the two sorted arrays; for rows columns too
   * @throws IllegalArgumentException if inputs are too few or too many, two that belong together
   *     have different types, the keys are not of the comparison's type, or both together could be
   *     longer than an array
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (!isOfRows) {
      return new Expansion(List.of(merge(this, output, inputs, order, output, null)), List.of());
    }
    requirePairs(this, inputs);
    String positions = output + ".positions";
    MergeStep merge =
        merge(this, output + ".merge", inputs.subList(0, 2), order, output, positions);
    List<Primitive> parts = new ArrayList<>(List.of(merge));
    parts.addAll(
        MergedColumnStep.ofPairs(this, output, inputs.subList(2, inputs.size()), merge, positions));
    return new Expansion(List.of(Composite.of(output, parts, visible(output, parts))), List.of());
  }

  /** The names of an operation's visible arrays among those that its parts write. */
  static Set<String> visible(String output, List<Primitive> parts) {
    return parts.stream()
        .flatMap(part -> part.asIs().layout().written().keySet().stream())
        .filter(name -> !name.startsWith(output + "."))
        .collect(Collectors.toSet());
  }

  /** Requires the keys of two tables, then pairs of columns. */
  static void requirePairs(Operation operation, List<Input> inputs) {
    if (inputs.size() < 4 || inputs.size() % 2 == 1) {
      throw new IllegalArgumentException(
          "%s takes keys of two tables, and then columns in pairs, one of each table, given=%s inputs"
              .formatted(operation, inputs.size()));
    }
  }

  static void requireOneType(Operation operation, Input first, Input second) {
    if (first.type() != second.type()) {
      throw new IllegalArgumentException(
          "%s takes inputs of one type: %s is of type %s, %s of type %s"
              .formatted(operation, first.name(), first.type(), second.name(), second.type()));
    }
  }

  static MergeStep merge(
      Operation operation,
      String id,
      List<Input> inputs,
      MergeOrder order,
      @Nullable String merged,
      @Nullable String positions) {
    if (inputs.size() != 2) {
      throw new IllegalArgumentException(
          "%s takes two inputs, given=%s".formatted(operation, inputs.size()));
    }
    Input first = inputs.getFirst();
    Input second = inputs.getLast();
    requireOneType(operation, first, second);
    order.requireOver(first.name(), first.type());
    long capacity = (long) first.capacity() + second.capacity();
    if (capacity > Input.LARGEST_CAPACITY) {
      throw new UnknownLengthException( // what is found may be fewer
          "%s of %s and %s: capacities=%s and %s, together at most %s"
              .formatted(
                  operation,
                  first.name(),
                  second.name(),
                  first.capacity(),
                  second.capacity(),
                  Input.LARGEST_CAPACITY),
          List.of(first.name(), second.name()));
    }
    return new MergeStep(id, first, second, order, merged, positions);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Merge that && order.equals(that.order) && isOfRows == that.isOfRows;
  }

  @Override
  public int hashCode() {
    return Objects.hash(order, isOfRows);
  }

  @Override
  public String toString() {
    return "merge%s %s".formatted(isOfRows ? " of rows" : "", order);
  }
}
