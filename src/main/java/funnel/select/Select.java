package funnel.select;

import funnel.jit.FunctionCopies;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.Transform;
import funnel.scan.ScanForm;
import funnel.transform.Elementwise;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A selection: the elements that a predicate holds for, or that are flagged, in their order.
 *
 * <p><b>Definition.</b> The output has the elements {@code x[i]} for which the predicate holds, or
 * with the others {@linkplain #rejecting left out instead}, by ascending {@code i}: of 3, 1, 4, 1,
 * 5 those over 2 are 3, 4, 5, and their {@linkplain #positions positions} 0, 2, 4. How many there
 * are is found on the device: the output has as many elements as it can have at most, the length of
 * the input, and its length is known after the run ({@code Results}). Later operations of the plan
 * take the output with the length that was found; the host reads no number in between.
 *
 * {@snippet class="funnel.docs.SelectSnippets" region="plan"}
 *
 * <p><b>The predicate</b> is a function of one element (of bytes their values 0 to 255), or of its
 * index too ({@link Transform#testIndexedInt}). It may be called more than once for an element, and
 * by several threads: it has to depend on these alone. What it may contain on a device is said at
 * {@link funnel.operator.Operator}. <b>Flags</b> are bytes, of which any but 0 says yes, or bits,
 * 32 to an int, that of element 0 the lowest.
 *
 * <p><b>Elements</b> are bytes, ints, longs, floats or doubles, and are copied as they are: NaN and
 * -0.0 too. Comparisons with NaN are false, as Java has it.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p><b>In place</b> is nothing: outputs may not overlap inputs, since a block stores where another
 * may still have to read.
 *
 * <p><b>Cost</b> on a device, of {@code w} bytes an element of which a share {@code s} is kept:
 * {@code w + ws} bytes in {@link ScanForm#SINGLE_PASS}, one launch; {@code 2w + ws} in {@link
 * ScanForm#REDUCE_THEN_SCAN}, four launches, the only form that cannot give up. Flags are read once
 * and twice. Extra memory: 8 bytes for each tile of 2048 or 4096 elements. On the JVM one pass, or
 * two by several threads.
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
   * The elements that a predicate holds for.
   *
   * {@snippet class="funnel.docs.SelectSnippets" region="places"}
   *
   * @throws IllegalArgumentException if {@code predicate} is no predicate
   */
  public static Select where(Transform predicate) {
    return new Select(Question.of(predicate), null, true, true, false, false, null);
  }

  /**
   * The elements for which a function of other arrays, or of the index and of these, gives 1 and
   * not 0: its inputs come after the elements. "At even places, or where the other array has more
   * than 5" is {@code Elementwise.ofInt("so", (i, y) -> (i & 1) == 0 || y > 5 ? 1 : 0).indexed()}.
   * Other values count by their lowest 8 bits, after a cast to a byte. The values are computed
   * first, which costs 3 bytes an element more than a predicate, and the function's inputs, and an
   * extra byte of memory.
   *
   * {@snippet class="funnel.docs.SelectSnippets" region="function"}
   */
  public static Select where(Elementwise function) {
    Objects.requireNonNull(function, "function");
    return new Select(Question.of(function), null, true, true, false, false, null);
  }

  /** The elements that are flagged, by bytes or bits: a second input. */
  public static Select flagged() {
    return new Select(Question.FLAGS, null, true, true, false, false, null);
  }

  /** The same with the elements kept that were left out, and the others left out. */
  public Select rejecting() {
    return new Select(question, map, !keeps, hasElements, hasPositions, isOfRows, form);
  }

  /** The same with positions as ints, the first 0, in the place of the elements or rows. */
  public Select positions() {
    return new Select(question, null, keeps, false, true, false, form);
  }

  /** The same with the positions too, in an output of the name and {@code _positions}. */
  public Select withPositions() {
    return new Select(question, map, keeps, true, true, isOfRows, form);
  }

  /**
   * The same of rows: the first input decides, or those of the function, and each of the others is
   * a column, as long, of any type, of which the elements at the kept positions are an output:
   * {@code output + "_1"}, {@code output + "_2"} and so on. Of the prices 60, 40, 70 and the
   * columns 1, 2, 3 and 0.5, 0.6, 0.7 "over 50" keeps 1, 3 and 0.5, 0.7. The first input may be a
   * column too.
   *
   * {@snippet class="funnel.docs.SelectSnippets" region="rows"}
   *
   * <p>Positions are found once, and columns gathered by them: {@code 4s} bytes more an element,
   * and {@code s(4 + 2w)} for each column.
   */
  public Select rows() {
    return new Select(question, null, keeps, true, hasPositions, true, form);
  }

  /**
   * The same with a function's values of the elements that are kept, in their place, and nothing
   * stored in between: of 3, 1, 4 those over 2, squared, are 9, 16. An index that the function
   * takes is that of the element in the input: by {@code (i, x) -> 10 * i + x} they are 3, 24. The
   * function must be pure. Rows, and positions alone, have none.
   *
   * {@snippet class="funnel.docs.SelectSnippets" region="mapped"}
   *
   * @param function over the type of the elements, ints for bytes, of which the low 8 bits are kept
   * @throws IllegalArgumentException if it is a predicate, or this is of rows or positions alone
   * @throws funnel.operator.OperatorException if it cannot be copied, as it captures values: then
   *     have {@link Elementwise} apply it
   */
  public Select mapped(Transform function) {
    if (isOfRows || !hasElements) {
      throw new IllegalArgumentException(
          "%s keeps no elements of its own to map: apply Elementwise to its outputs"
              .formatted(this));
    }
    Transform copied = FunctionCopies.requireCopyable(function);
    return new Select(question, copied, keeps, true, hasPositions, false, form);
  }

  /** The same in a form for devices, in the place of that which is chosen. */
  public Select by(ScanForm newForm) {
    Objects.requireNonNull(newForm, "form");
    return new Select(question, map, keeps, hasElements, hasPositions, isOfRows, newForm);
  }

  /** Whether elements are kept. */
  public boolean hasElements() {
    return hasElements;
  }

  /** Whether positions are. */
  public boolean hasPositions() {
    return hasPositions;
  }

  /** Whether an element's own value or flag decides, of no rows and by no function of an index. */
  public boolean isByElement() {
    return question.function() == null && !isOfRows;
  }

  /**
   * What a plan's builder adds for this selection.
   *
   * @param output name of the output, an array of the length that is found
   * @param inputs the elements, and the flags or the function's inputs if these decide; of rows
   *     what decides, and columns
   * @throws IllegalArgumentException if inputs are too few or too many, or of other types than the
   *     predicate or flags have
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
    TileSelect.Names names =
        new TileSelect.Names(
            hasElements ? output : null, hasPositions ? positions : null, null, false);
    Input elements = inputs.getFirst();
    TileSelect select = criterion.select(output, elements, names);
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
