package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transpose of a matrix: its columns, one after the other.
 *
 * <p><b>Definition.</b> The input is a matrix, row after row: row {@code r} has the elements {@code
 * x[r * columns]} to {@code x[r * columns + columns - 1]}. The output is its transpose, {@code y[c
 * * rows + r] = x[r * columns + c]} for all rows {@code r} and columns {@code c}:
 *
 * <pre>
 * x, of 3 columns    y, of 2 columns
 *
 *     1 2 3              1 4
 *     4 5 6              2 5
 *                        3 6
 * </pre>
 *
 * So 1, 2, 3, 4, 5, 6 becomes 1, 4, 2, 5, 3, 6. The transpose of a transpose, {@code of(rows)}, is
 * the matrix itself.
 *
 * <p>The elements are bytes, ints, longs, floats or doubles; the output has the same type and
 * length. It stays on the device, where later operations of the plan may take it. Elements are
 * copied unchanged, NaN and -0.0 included.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="transpose"}
 *
 * <p><b>The length</b> is a multiple of the number of columns, or a run throws an {@link
 * IllegalArgumentException} with both numbers before anything is computed. It must be known before
 * the run: a plan does not take an input whose length an earlier operation finds.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the input, since an element may
 * be read after its place has been written.
 *
 * <p><b>Cost.</b> The input is read once and the output written once, both in stretches of
 * neighbouring elements; no extra memory. A new number of columns compiles nothing again if the
 * matrix has more than a few rows and columns.
 *
 * <p>Immutable. After {@code geam} of cuBLAS, which transposes matrices of floats and doubles.
 */
public final class Transpose implements Operation {

  private final int columns;

  private Transpose(int columns) {
    this.columns = columns;
  }

  /**
   * The transpose of a matrix with rows of so many elements.
   *
   * @throws IllegalArgumentException if {@code columns} is less than 1
   */
  public static Transpose of(int columns) {
    if (columns < 1) {
      throw new IllegalArgumentException(
          "columns=%s: a row has at least one element".formatted(columns));
    }
    return new Transpose(columns);
  }

  /**
   * The primitives of this operation.
   *
   * @param output name of the output, an array
   * @param inputs the matrix
   * @throws IllegalArgumentException if there is not exactly one input
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input values = Expansion.only(inputs, this);
    return new Expansion(
        List.of(
            new TransposeStep(output, values.name(), values.type(), columns, values.capacity())),
        List.of());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Transpose transpose && columns == transpose.columns;
  }

  @Override
  public int hashCode() {
    return columns;
  }

  @Override
  public String toString() {
    return "transpose of rows of " + columns;
  }
}
