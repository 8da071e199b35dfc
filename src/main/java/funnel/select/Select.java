package funnel.select;

import funnel.jit.FunctionCopies;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.Transform;
import funnel.scan.ScanForm;
import funnel.transform.Elementwise;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A selection: the elements for which a predicate holds, or that are flagged, in their order.
 *
 * <p><b>Definition.</b> The output has the elements {@code x[i]} for which the predicate holds, or
 * with {@link #rejecting} those for which it does not, by ascending {@code i}: the elements over 2
 * of 3, 1, 4, 1, 5 are 3, 4, 5, and their {@linkplain #positions positions} 0, 2, 4. The number of
 * kept elements is found on the device: the output's capacity is the length of the input, and its
 * length is known after the run ({@code Results}). Later operations of the plan use the found
 * length on the device, without a copy to the host.
 *
 * {@snippet class="funnel.docs.SelectSnippets" region="plan"}
 *
 * <p><b>The predicate</b> is a function of one element (for bytes the values 0 to 255), or of its
 * index and the element ({@link Transform#testIndexedInt}). It must depend on these alone, since it
 * may be called more than once for an element, and by several threads. {@link
 * funnel.operator.Operator} says what it may contain on a device. <b>Flags</b> are bytes, where any
 * value other than 0 keeps the element, or bits, 32 per int, with that of element 0 lowest.
 *
 * <p><b>Elements</b> are bytes, ints, longs, floats or doubles, and are copied unchanged, NaN and
 * -0.0 included. Comparisons with NaN are false, as in Java.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p>There is no <b>in-place</b> form: outputs must not overlap inputs, since a block could
 * overwrite elements that another block has not read.
 *
 * <p><b>Cost</b> on a device, for elements of {@code w} bytes of which a share {@code s} is kept:
 * {@code w + ws} bytes per element in {@link ScanForm#SINGLE_PASS}, one launch; {@code 2w + ws} in
 * {@link ScanForm#REDUCE_THEN_SCAN}, four launches, the only form that cannot give up. Flags are
 * read once in the former and twice in the latter. Extra memory: 8 bytes for each tile of 2048 or
 * 4096 elements. The JVM makes one pass, or two with several threads.
 *
 * <p>Immutable. After {@code DeviceSelect} of CUB and {@code copy_if} of Thrust, both stable too.
 */
public final class Select implements Operation {

  private final Question question;
  private final @Nullable Transform map;
  private final boolean keeps;
  private final boolean hasElements;
  private final boolean hasPositions;
  private final boolean isOfRows;
  private final @Nullable ScanForm form;

  private Select(
      Question question,
      @Nullable Transform map,
      boolean keeps,
      boolean hasElements,
      boolean hasPositions,
      boolean isOfRows,
      @Nullable ScanForm form) {
    this.question = question;
    this.map = map;
    this.keeps = keeps;
    this.hasElements = hasElements;
    this.hasPositions = hasPositions;
    this.isOfRows = isOfRows;
    this.form = form;
  }

  /**
   * The elements for which a predicate holds.
   *
   * {@snippet class="funnel.docs.SelectSnippets" region="places"}
   *
   * @throws IllegalArgumentException if {@code predicate} is not a predicate
   */
  public static Select where(Transform predicate) {
    return new Select(Question.of(predicate), null, true, true, false, false, null);
  }

  /**
   * The elements for which a function of other arrays, or of the index and these, gives 1 and not
   * 0. Its inputs come after the elements. "At even indices, or where the other array has more than
   * 5" is {@code Elementwise.ofInt("so", (i, y) -> (i & 1) == 0 || y > 5 ? 1 : 0).indexed()}. Other
   * values are cast to a byte: the element is kept if their lowest 8 bits are not 0. The values are
   * computed first. This moves 3 more bytes per element than a predicate, and the function's
   * inputs, and takes a byte of extra memory per element.
   *
   * {@snippet class="funnel.docs.SelectSnippets" region="function"}
   */
  public static Select where(Elementwise function) {
    Objects.requireNonNull(function, "function");
    return new Select(Question.of(function), null, true, true, false, false, null);
  }

  /** The elements that are flagged by bytes or bits in a second input. */
  public static Select flagged() {
    return new Select(Question.FLAGS, null, true, true, false, false, null);
  }

  /**
   * The step that keeps what is flagged, for other operations.
   *
   * @param most as many as can be kept
   */
  public static Primitive step(String output, Input elements, Input flags, int most) {
    SelectStep.Names names = new SelectStep.Names(output, null, null, false);
    return Criterion.flags(flags).select(output, elements, names).within(most);
  }

  /**
   * The complement: keeps the elements that this selection leaves out, and leaves out the others.
   */
  public Select rejecting() {
    return new Select(question, map, !keeps, hasElements, hasPositions, isOfRows, form);
  }

  /** This selection of positions, as ints from 0, instead of elements or rows. */
  public Select positions() {
    return new Select(question, null, keeps, false, true, false, form);
  }

  /** This selection with a second output, the positions, {@code output + "_positions"}. */
  public Select withPositions() {
    return new Select(question, map, keeps, true, true, isOfRows, form);
  }

  /**
   * This selection of rows: the first input decides, or the inputs of the function, and each
   * further input is a column of the same length and any type. The outputs {@code output + "_1"},
   * {@code output + "_2"} and so on are the columns' elements at the kept positions. For the prices
   * 60, 40, 70 and the columns 1, 2, 3 and 0.5, 0.6, 0.7, "over 50" keeps 1, 3 and 0.5, 0.7. The
   * first input may be a column too.
   *
   * {@snippet class="funnel.docs.SelectSnippets" region="rows"}
   *
   * <p>Positions are found once, and columns are gathered by them: {@code 4s} more bytes per
   * element, and {@code s(4 + 2w)} for each column.
   */
  public Select rows() {
    return new Select(question, null, keeps, true, hasPositions, true, form);
  }

  /**
   * This selection with a function applied to the kept elements, which are not stored themselves:
   * the elements over 2 of 3, 1, 4, squared, are 9, 16. A function with an index gets that of the
   * element in the input: by {@code (i, x) -> 10 * i + x} they are 3, 24. The function must be
   * pure. Rows, and positions alone, take no function.
   *
   * {@snippet class="funnel.docs.SelectSnippets" region="mapped"}
   *
   * @param function a function over the type of the elements; for bytes over ints, whose low 8 bits
   *     are kept
   * @throws IllegalArgumentException if it is a predicate, or this selects rows or positions alone
   */
  public Select mapped(Transform function) {
    if (isOfRows || !hasElements) {
      throw new IllegalArgumentException(
          "%s keeps no elements of its own to map: apply Elementwise to its outputs"
              .formatted(this));
    }
    Transform copied = FunctionCopies.requireMap(function);
    return new Select(question, copied, keeps, true, hasPositions, false, form);
  }

  /** This selection in a chosen form on a device. */
  public Select by(ScanForm newForm) {
    Objects.requireNonNull(newForm, "form");
    return new Select(question, map, keeps, hasElements, hasPositions, isOfRows, newForm);
  }

  /** The predicate, if it alone decides which elements are kept, and these are all that is. */
  public Optional<Transform> predicate() {
    boolean isPlain = map == null && keeps && hasElements && !hasPositions && !isOfRows;
    return isPlain ? Optional.ofNullable(question.predicate()) : Optional.empty();
  }

  /** Whether it keeps elements that no function is applied to yet, see {@link #mapped}. */
  public boolean canBeMapped() {
    return map == null && hasElements && !isOfRows;
  }

  /** Whether elements are kept. */
  public boolean hasElements() {
    return hasElements;
  }

  /** Whether positions are kept. */
  public boolean hasPositions() {
    return hasPositions;
  }

  /** Whether an element's own value or flag decides, without rows or a function of an index. */
  public boolean isByElement() {
    return question.function() == null && !isOfRows;
  }

  /**
   * @param output the name of the output, an array whose length is found
   * @param inputs the elements, then the flags or the function's inputs, if any; for rows the
   *     deciding inputs, then columns
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (isOfRows) {
      return question
          .ofRows(this, output, inputs, keeps, form)
          .rows(output, question.columns(inputs), hasPositions);
    }
    Criterion criterion = question.criterion(this, output, inputs, keeps, form);
    String positions = hasElements ? output + "_positions" : output;
    SelectStep.Names names =
        new SelectStep.Names(
            hasElements ? output : null, hasPositions ? positions : null, null, false);
    Input elements = inputs.getFirst();
    SelectStep select = criterion.select(output, elements, names);
    if (map != null) {
      map.requireOver(elements.name(), elements.type());
      select = select.mapped(map);
    }
    return new Expansion(List.of(criterion.whole(output, select)), List.of());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Select that
        && question.equals(that.question)
        && Objects.equals(map, that.map)
        && keeps == that.keeps
        && hasElements == that.hasElements
        && hasPositions == that.hasPositions
        && isOfRows == that.isOfRows
        && form == that.form;
  }

  @Override
  public int hashCode() {
    return Objects.hash(question, map, keeps, hasElements, hasPositions, isOfRows, form);
  }

  @Override
  public String toString() {
    return "selection%s %s %s%s"
        .formatted(
            isOfRows ? " of rows" : "",
            keeps ? "where" : "where not",
            question,
            map == null ? "" : " by " + map);
  }
}
