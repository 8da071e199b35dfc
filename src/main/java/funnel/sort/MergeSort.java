package funnel.sort;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.Comparison;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A sort by a user-defined comparison: the elements of an array in its order, or their positions,
 * or columns in the order of keys; also of rows, by two or three columns.
 *
 * <p><b>Definition.</b> The output has the elements of the input in the order of the {@linkplain
 * Comparison comparison}: 31, 21, 12, 2 for 31, 12, 21, 2 by the last digit. The elements are bytes
 * (0 to 255, which the comparator takes as ints), ints, longs, floats or doubles; the output has
 * the same type and length. It stays on the device, where later operations of the plan may take it.
 * For ascending or descending order {@link Sort} is faster.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="mergeSort"}
 *
 * <p><b>Rows.</b> A comparison of rows takes the elements that two or three columns of one type
 * have in each of two rows. It supports {@link #positions} and {@link #rows}, whose first inputs
 * are these columns, equally long. {@link funnel.transform.Elementwise#to} converts columns of
 * several types to one type; {@code Iota} makes a column of positions. If the comparison compares
 * one column after the other, each ascending or each descending, {@link Sort#rows(int)} is faster.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="byRow"}
 *
 * <p><b>Stable.</b> Elements or rows of which neither comes before the other keep their order. So
 * rows can be sorted by two keys by sorting by the second key first, and then by the first.
 *
 * <p><b>Floating-point numbers</b> keep their bits, NaN and -0.0 included; the comparator must
 * order all of them, as {@link Float#compare} and {@link Double#compare} do.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the input.
 *
 * <p><b>If the comparator throws</b> on the JVM, the call throws the same exception, see {@link
 * funnel.operator.OperatorThrewException}. The caller's destination may then be partly written.
 *
 * <p><b>Cost</b> on a device: elements are read and written once to sort tiles of {@code t}
 * elements, and once more in each pass that merges runs to runs of twice the length. That is {@code
 * 2w} bytes per element of {@code w} bytes, {@code log2(n / t)} times, rounded up, where {@code t}
 * is 4096, or 2048 for elements of eight bytes and for positions. A plan has as many passes as its
 * capacity needs; shorter inputs skip those that they do not need, except at most one. Positions
 * and columns take 8 more bytes per element and pass, and each column of keys {@code 2w}. Extra
 * memory: as many elements as the input has; for positions and columns twice as many for each
 * column of keys, and an int for each row.
 *
 * <p>On the JVM all cores sort tiles and merge runs in the same way. Columns of keys are copied
 * there, and positions are sorted, whose rows are read in random order.
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

  /** The sort by a comparison; a comparison of rows sorts positions or columns. */
  public static MergeSort by(Comparison comparison) {
    return new MergeSort(MergeOrder.of(comparison), Wanted.ELEMENTS);
  }

  /**
   * This sort of positions, as ints from 0, instead of the elements: 0, 2, 1, 3 for 31, 12, 21, 2
   * by the last digit. {@link funnel.transform.Gather} applies them to any array of the same
   * length.
   */
  public MergeSort positions() {
    return new MergeSort(order, Wanted.POSITIONS);
  }

  /**
   * This sort of rows: the first input has the keys, or the first two or three if the comparison
   * compares as many columns. Each further input is a column of the same length and any type. The
   * outputs {@code output + "_1"}, {@code output + "_2"} and so on are the columns' elements in the
   * order of the keys. For the keys 31, 12, 21 and the column 0.1, 0.2, 0.3, by the last digit, it
   * is 0.1, 0.3, 0.2. The keys may be a column too.
   *
   * <p>Positions are sorted once, and columns are gathered by them: {@code 4 + 2w} bytes for each
   * element of {@code w} bytes, and 4 bytes of extra memory for each row.
   */
  public MergeSort rows() {
    return new MergeSort(order, Wanted.ROWS);
  }

  /**
   * @param output name of the output, an array
   * @param inputs the elements, or the columns that are compared; for rows the keys, then columns
   * @throws IllegalArgumentException if inputs are too few or too many, or not of the comparison's
   *     type; if the comparison is of rows and this sort is neither of positions nor of rows
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    int ofKeys = order.columns();
    if (wanted == Wanted.ELEMENTS && ofKeys > 1) {
      throw new IllegalArgumentException(
          "%s compares rows of %s columns: call rows() or positions() on it"
              .formatted(this, ofKeys));
    }
    boolean isOfRows = wanted == Wanted.ROWS;
    if (ofKeys == 1 && !isOfRows) {
      Expansion.only(inputs, this);
    }
    if (isOfRows ? inputs.size() <= ofKeys : inputs.size() != ofKeys) {
      throw new IllegalArgumentException(
          "%s takes %s%s, given=%s inputs"
              .formatted(
                  this,
                  ofKeys == 1 ? "keys" : "%s columns of keys".formatted(ofKeys),
                  isOfRows ? ", and then columns" : "",
                  inputs.size()));
    }
    List<Input> keys = inputs.subList(0, ofKeys);
    Input first = keys.getFirst();
    for (Input column : keys) {
      order.requireOver(column.name(), column.type());
      Merge.requireOneType(this, first, column);
    }
    MergeSortStep sort =
        new MergeSortStep(
            isOfRows ? output + ".order" : output,
            keys.stream().map(Input::name).toList(),
            first.type(),
            order,
            wanted != Wanted.ELEMENTS,
            first.capacity());
    return new Expansion(
        List.of(
            isOfRows
                ? Sort.columns(
                    output, List.of(sort), sort.id(), first, inputs.subList(ofKeys, inputs.size()))
                : sort),
        List.of());
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
