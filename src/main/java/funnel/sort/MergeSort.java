package funnel.sort;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.Comparison;
import funnel.transform.Take;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A sort by a comparison of yours: the elements of an array in its order, or the positions that
 * they are at, or columns in the order of keys.
 *
 * <p><b>Definition.</b> The output has the elements of the input, each as often, in the order of
 * the {@linkplain Comparison comparison}: of 31, 12, 21, 2 by the last digit it is 31, 21, 12, 2.
 * The elements are bytes (0 to 255, which the comparator gets as ints), ints, longs, floats or
 * doubles; the output is of the same type and as long. It stays on the device, where later
 * operations of the plan may take it. In ascending or descending order {@link Sort} sorts faster.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="mergeSort"}
 *
 * <p><b>Stable.</b> Elements of which none comes before the other stay in the order that they came
 * in. So by two keys rows are sorted by the second one first, and then by the first.
 *
 * <p><b>Floating-point numbers</b> keep their bits, NaN and -0.0 too; the comparator has to have a
 * place for each of them, as {@link Float#compare} and {@link Double#compare} do.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p><b>In place</b> is nothing: the output may not overlap the input.
 *
 * <p><b>If the comparator throws</b> on the JVM, the call throws it, see {@link
 * funnel.operator.OperatorThrewException}. A destination of the caller's has then been written to
 * in parts.
 *
 * <p><b>Cost</b> on a device: elements are read and written once to sort tiles of 2048, and once
 * more in each pass that merges runs to runs twice as long: {@code 2w} bytes for each element of
 * {@code w} bytes, {@code log2(n / 2048)} times, rounded up. A plan has as many passes as its
 * capacity needs, of which shorter inputs pass over those that they do not need, but one. Positions
 * and columns take 8 bytes more an element and pass. Extra memory: as many elements as the input
 * has; of positions and columns twice as many, and an int for each.
 *
 * <p>On the JVM all cores sort tiles and merge runs likewise.
 *
 * <p>Immutable. After Odeh, Green, Mwassi, Shmueli and Birk, <i>Merge Path</i>, 2012, {@code
 * mergesort} of moderngpu and {@code DeviceMergeSort} of CUB.
 */
public final class MergeSort implements Operation {

  private enum Wanted {
    ELEMENTS,
    POSITIONS,
    ROWS
  }

  private final MergeOrder order;
  private final Wanted wanted;

  private MergeSort(MergeOrder order, Wanted wanted) {
    this.order = order;
    this.wanted = wanted;
  }

  /** The elements in the order of a comparison. */
  public static MergeSort by(Comparison comparison) {
    return new MergeSort(MergeOrder.of(comparison), Wanted.ELEMENTS);
  }

  /**
   * The same with positions as ints, the first 0, in the place of the elements: of 31, 12, 21, 2 by
   * the last digit they are 0, 2, 1, 3. {@link funnel.transform.Gather} takes them for any array of
   * the same length.
   */
  public MergeSort positions() {
    return new MergeSort(order, Wanted.POSITIONS);
  }

  /**
   * The same of rows: the first input has the keys, and each of the others is a column, as long, of
   * any type, of which the elements in the keys' order are an output: {@code output + "_1"}, {@code
   * output + "_2"} and so on. Of the keys 31, 12, 21 and the column 0.1, 0.2, 0.3, by the last
   * digit, it is 0.1, 0.3, 0.2. The keys may be a column too.
   *
   * <p>Positions are sorted once, and columns gathered by them: {@code 4 + 2w} bytes for each
   * element of {@code w} bytes, and 4 bytes of extra memory for each row.
   */
  public MergeSort rows() {
    return new MergeSort(order, Wanted.ROWS);
  }

  /**
   * What a plan's builder adds for this sort.
   *
   * @param output name of the output, an array
   * @param inputs the elements; of rows the keys, and columns
   * @throws IllegalArgumentException if inputs are too few or too many, or of another type than the
   *     comparison is of
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    boolean isOfRows = wanted == Wanted.ROWS;
    if (isOfRows && inputs.size() < 2) {
      throw new IllegalArgumentException(
          "%s takes keys, and then columns, given=%d inputs".formatted(this, inputs.size()));
    }
    Input keys = isOfRows ? inputs.getFirst() : Expansion.only(inputs, this);
    order.requireOver(keys.name(), keys.type());
    TileMergeSort sort =
        new TileMergeSort(
            isOfRows ? output + ".order" : output,
            keys.name(),
            keys.type(),
            order,
            wanted != Wanted.ELEMENTS,
            keys.capacity());
    return new Expansion(
        List.of(isOfRows ? columns(output, sort, inputs.subList(1, inputs.size())) : sort),
        List.of());
  }

  private static Primitive columns(String output, TileMergeSort order, List<Input> columns) {
    List<Primitive> parts = new ArrayList<>(List.of(order));
    Set<String> visible = new HashSet<>();
    for (Input column : columns) {
      String name = output + "_" + parts.size();
      visible.add(name);
      parts.add(
          new Take(
              name,
              column.name(),
              order.id(),
              null,
              order.input(),
              column.type(),
              order.capacity()));
    }
    return Composite.of(output, parts, visible);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MergeSort that && order.equals(that.order) && wanted == that.wanted;
  }

  @Override
  public int hashCode() {
    return Objects.hash(order, wanted);
  }

  @Override
  public String toString() {
    return switch (wanted) {
      case ELEMENTS -> "sort " + order;
      case POSITIONS -> "positions of a sort " + order;
      case ROWS -> "sort of rows " + order;
    };
  }
}
