package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of an array: neighbouring elements, in their order.
 *
 * <p><b>Definition.</b> {@code y[i] = x[start + i]}; of 3, 1, 4, 1, 5:
 *
 * <table>
 * <caption>Slices of 3, 1, 4, 1, 5</caption>
 * <tr><th>slice</th><th>elements</th></tr>
 * <tr><td>{@code of(1, 3)}</td><td>1, 4</td></tr>
 * <tr><td>{@code from(3)}</td><td>1, 5</td></tr>
 * <tr><td>{@code skip(3)}; {@code skip(7)}</td><td>1, 5; none</td></tr>
 * <tr><td>{@code limit(2)}; {@code limit(7)}</td><td>3, 1; all</td></tr>
 * <tr><td>{@code last(2)}; {@code last(7)}</td><td>1, 5; all</td></tr>
 * </table>
 *
 * <p>{@link #skip}, {@link #limit} and {@link #last} take what there is, like {@code
 * java.util.stream}; {@link #of} and {@link #from} throw if there are too few elements. The
 * elements are bytes, ints, longs, floats or doubles, and are copied unchanged, NaN and -0.0
 * included. The output stays on the device, where later operations of the plan may take it.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="slice"}
 *
 * <p><b>The length</b> of the input may be found by an earlier operation. That of the output is
 * then found too, but with {@code of}, where it is {@code to - from}. Equal slices of columns that
 * one operation has found are equally long, and later operations take them together.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p><b>Errors.</b> A plan throws an {@link IllegalArgumentException} with the figures if its input
 * cannot have enough elements, and a run if it has not.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the input.
 *
 * <p><b>Cost.</b> The slice is read once and written once; no extra memory. Other places do not
 * need another compilation of the kernel.
 *
 * <p>Immutable.
 */
public final class Slice implements Operation {

  private record Part(String name, int kind, int start, int most, int least) {}

  private final Part part;

  private Slice(String name, int kind, int start, int most, int least) {
    this.part = new Part(name, kind, start, most, least);
  }

  private static int requireCount(String what, int count) {
    if (count < 0) {
      throw new IllegalArgumentException("Slice.%s=%s is negative".formatted(what, count));
    }
    return count;
  }

  /**
   * The elements from an index to before another one.
   *
   * @param from the index of the first element
   * @param to the index after the last element
   * @throws IllegalArgumentException unless {@code 0 <= from <= to}
   */
  public static Slice of(int from, int to) {
    if (from < 0 || from > to) {
      throw new IllegalArgumentException(
          "Slice.of: from=%s, to=%s; 0 <= from <= to".formatted(from, to));
    }
    return new Slice("from %s to %s".formatted(from, to), CopyStep.FIXED, from, to - from, to);
  }

  /**
   * The elements from an index on, of an input that has at least as many as are left out.
   *
   * @throws IllegalArgumentException if the index is negative
   */
  public static Slice from(int from) {
    requireCount("from: from", from);
    return new Slice("from " + from, CopyStep.PART, from, Integer.MAX_VALUE, from);
  }

  /**
   * All elements but the first {@code n}.
   *
   * @throws IllegalArgumentException if {@code n} is negative
   */
  public static Slice skip(int n) {
    requireCount("skip: n", n);
    return new Slice("after " + n, CopyStep.PART, n, Integer.MAX_VALUE, 0);
  }

  /**
   * The first elements.
   *
   * @param most how many at most
   * @throws IllegalArgumentException if {@code most} is negative
   */
  public static Slice limit(int most) {
    return new Slice(
        "of the first " + most, CopyStep.PART, 0, requireCount("limit: most", most), 0);
  }

  /**
   * The last elements, at most {@code n}.
   *
   * @throws IllegalArgumentException if {@code n} is negative
   */
  public static Slice last(int n) {
    return new Slice("of the last " + n, CopyStep.LAST, 0, requireCount("last: n", n), 0);
  }

  /**
   * The primitives of this slice.
   *
   * @param output name of the output, an array
   * @param inputs the elements
   * @throws IllegalArgumentException if there is not exactly one input, or it cannot have enough
   *     elements
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input values = Expansion.only(inputs, this);
    return CopyStep.expansion(output, values, part.kind, part.start, part.most, part.least);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Slice that && part.equals(that.part);
  }

  @Override
  public int hashCode() {
    return part.hashCode();
  }

  @Override
  public String toString() {
    return "slice " + part.name;
  }
}
