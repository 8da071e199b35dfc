package funnel.select;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.scan.ScanForm;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The first element of each run of equal neighbours: for sorted elements, the distinct ones.
 *
 * <p><b>Definition.</b> The output has {@code x[0]} and each {@code x[i]} that is not equal to
 * {@code x[i - 1]}, in their order: 4, 7, 9, 4 for 4, 4, 7, 9, 9, 4. Its length is found on the
 * device, where later operations of the plan use it. {@link Runs} gives starts and lengths too.
 *
 * {@snippet class="funnel.docs.SelectSnippets" region="runs"}
 *
 * <p>Elements are <b>equal</b> according to {@code equals} of their boxes: all NaN are equal, and
 * 0.0 and -0.0 differ. Elements are bytes, ints, longs, floats or doubles.
 *
 * <p><b>Empty input</b> gives an empty output. There is no <b>in-place</b> form: the output must
 * not overlap the input.
 *
 * <p><b>Cost</b> is that of a {@linkplain Select selection} by a predicate.
 *
 * <p>Immutable. After {@code DeviceSelect::Unique} of CUB and {@code unique} of Thrust, where each
 * NaN differs from all others.
 */
public final class Unique implements Operation {

  private final boolean isOfRows;
  private final @Nullable ScanForm form;

  private Unique(boolean isOfRows, @Nullable ScanForm form) {
    this.isOfRows = isOfRows;
    this.form = form;
  }

  /** The first elements of runs. */
  public static Unique adjacent() {
    return new Unique(false, null);
  }

  /**
   * The first rows of runs: the first input has the keys, and each further input is a column of the
   * same length and any type. The outputs {@code output + "_1"}, {@code output + "_2"} and so on
   * are the columns' elements at the first positions of the keys' runs. For the keys 4, 4, 7 and
   * the column 10, 20, 30 it keeps 10, 30. The first input may be a column too.
   */
  public Unique rows() {
    return new Unique(true, form);
  }

  /** This operation in a chosen form on a device. */
  public Unique by(ScanForm newForm) {
    return new Unique(isOfRows, Objects.requireNonNull(newForm, "form"));
  }

  /**
   * @param output the name of the output, an array whose length is found
   * @param inputs the elements; for rows the keys, then columns
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (!isOfRows) {
      Input input = Expansion.only(inputs, this);
      SelectStep.Names names = new SelectStep.Names(output, null, null, false);
      return new Expansion(
          List.of(Criterion.heads(input, form).select(output, input, names)), List.of());
    }
    if (inputs.size() < 2) {
      throw new IllegalArgumentException(
          "%s takes keys, and then columns, given=%s inputs".formatted(this, inputs.size()));
    }
    return Criterion.heads(inputs.getFirst(), form)
        .rows(output, inputs.subList(1, inputs.size()), false);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Unique that && isOfRows == that.isOfRows && form == that.form;
  }

  @Override
  public int hashCode() {
    return Objects.hash(isOfRows, form);
  }

  @Override
  public String toString() {
    return isOfRows ? "rows of adjacent unique keys" : "adjacent unique elements";
  }
}
