package funnel.select;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.scan.ScanForm;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The first element of each run of equal neighbours: of sorted elements, the distinct ones.
 *
 * <p><b>Definition.</b> The output has {@code x[0]} and each {@code x[i]} that is not equal to
 * {@code x[i - 1]}, in their order: of 4, 4, 7, 9, 9, 4 it is 4, 7, 9, 4. Its length is found on
 * the device, where later operations of the plan take it as it is. {@link Runs} has starts and
 * lengths too.
 *
 * {@snippet class="funnel.docs.SelectSnippets" region="runs"}
 *
 * <p><b>Equal</b> are elements of which {@code equals} of their boxes says so: all NaN are one, and
 * 0.0 and -0.0 differ. Elements are bytes, ints, longs, floats or doubles.
 *
 * <p><b>Empty input</b> gives an empty output. <b>In place</b> is nothing: the output may not
 * overlap the input.
 *
 * <p><b>Cost</b> is that of a {@linkplain Select selection} by a predicate; of 2^24 elements and
 * more, unless a form is named, and without columns, that of {@link Runs} without starts and
 * lengths.
 *
 * <p>Immutable. After {@code DeviceSelect::Unique} of CUB and {@code unique} of Thrust, which take
 * each NaN for itself.
 */
public final class Unique implements Operation {

  /** Where a single pass over fewer elements takes less than several launches. */
  private static final int LEAST_OF_BITS = 1 << 24;

  private final boolean isOfRows;
  private final @Nullable ScanForm form;
  private final int leastOfBits;

  private Unique(boolean isOfRows, @Nullable ScanForm form, int leastOfBits) {
    this.isOfRows = isOfRows;
    this.form = form;
    this.leastOfBits = leastOfBits;
  }

  /** The first elements of runs. */
  public static Unique adjacent() {
    return new Unique(false, null, LEAST_OF_BITS);
  }

  /**
   * The same of rows: the first input has the keys whose runs count, and each of the others is a
   * column, as long, of any type, of which the elements at the first positions of runs are an
   * output: {@code output + "_1"}, {@code output + "_2"} and so on. Of the keys 4, 4, 7 and the
   * column 10, 20, 30 it keeps 10, 30. The first input may be a column too.
   */
  public Unique rows() {
    return new Unique(true, form, leastOfBits);
  }

  /** The same in a form for devices, in the place of that which is chosen. */
  public Unique by(ScanForm newForm) {
    return new Unique(isOfRows, Objects.requireNonNull(newForm, "form"), leastOfBits);
  }

  /** The same that looks for runs as {@link Runs} does from so many elements on. */
  Unique ofBitsFrom(int elements) {
    return new Unique(isOfRows, form, elements);
  }

  /**
   * What a plan's builder adds for these elements.
   *
   * @param output name of the output, an array of the length that is found
   * @param inputs the elements; of rows the keys, and columns
   * @throws IllegalArgumentException if there is not one input, or of rows no column
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (!isOfRows) {
      Input input = Expansion.only(inputs, this);
      if (form == null && input.capacity() >= leastOfBits) {
        return new Expansion(List.of(Runs.firsts(output, input)), List.of());
      }
      TileSelect.Names names = new TileSelect.Names(output, null, null, false);
      return new Expansion(
          List.of(Criterion.heads(input, form).select(output, input, names)), List.of());
    }
    if (inputs.size() < 2) {
      throw new IllegalArgumentException(
          "%s takes keys, and then columns, given=%d inputs".formatted(this, inputs.size()));
    }
    return Criterion.heads(inputs.getFirst(), form)
        .rows(output, inputs.subList(1, inputs.size()), false);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Unique that
        && isOfRows == that.isOfRows
        && form == that.form
        && leastOfBits == that.leastOfBits;
  }

  @Override
  public int hashCode() {
    return Objects.hash(isOfRows, form, leastOfBits);
  }

  @Override
  public String toString() {
    return isOfRows ? "rows of adjacent unique keys" : "adjacent unique elements";
  }
}
