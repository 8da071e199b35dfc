package funnel.scan;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Windows: for every element the combination of the last elements up to it.
 *
 * <p><b>Definition.</b> {@code y[i]} combines {@code x[i - n + 1]} to {@code x[i]}, or fewer where
 * the input begins. For 3, 1, 4, 1, 5:
 *
 * <table>
 * <caption>Windows of 3, 1, 4, 1, 5</caption>
 * <tr><th>windows</th><th>results</th></tr>
 * <tr><td>{@code rows(3, SUM)}</td><td>3, 4, 8, 6, 10</td></tr>
 * <tr><td>{@code rows(2, MAX)}</td><td>3, 3, 4, 4, 5</td></tr>
 * <tr><td>{@code rows(3, SUM).inSegments()} by 0, 1, 0, 1, 2</td><td>3, 4, 4, 5, 10</td></tr>
 * <tr><td>{@code ofWidths(SUM)} by 1, 1, 2, 4, 1</td><td>3, 1, 5, 9, 5</td></tr>
 * <tr><td>{@code decayed(0.5)}</td><td>3, 2.5, 5.25, 3.625, 6.8125</td></tr>
 * </table>
 *
 * <p>The elements are ints, longs, floats or doubles; the output has the same type and length. It
 * stays on the device, where later operations of the plan may take it.
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="window"}
 *
 * <p><b>Order.</b> A window is cut into parts whose lengths are powers of two, the shortest next to
 * the element. Each is combined from two halves, and the parts from the last to the first; operands
 * are in the order of the elements, so that operators need not be commutative. No result depends on
 * elements outside of its window: a NaN stays in the windows that have it. Floating-point results
 * have the same bits on the JVM, in the emulator and on every device, and do not depend on where in
 * the input the elements are; errors grow with the logarithm of {@code n}. Integers wrap around;
 * min and max treat NaN and -0.0 as {@link Math} does. A sum of -0.0 alone is -0.0.
 *
 * <p><b>Empty input</b> gives an empty output. There is no <b>in-place</b> form: the output must
 * not overlap an input.
 *
 * <p><b>Cost.</b> Sums of ints over 8 rows or more, of longs over 16 or more, or of given widths,
 * are a scan and one more reading of its sums, two for each element, however long windows are, with
 * one array of extra memory. On a device other windows of up to 512 elements take one launch, which
 * reads the input once, or twice if they are nearly as long as that, and writes the output once.
 * Each doubling beyond takes another launch, with 3 to 5 elements of memory traffic for each
 * element, and there are two arrays of extra memory. Other numbers of up to 512 do not need another
 * compilation.
 *
 * <p>Immutable. After {@code rolling} of pandas and {@code ROWS BETWEEN} of SQL.
 */
public final class Window implements Operation {

  /** Below it, what an element still weighs is left out. */
  private static final double LEAST_WEIGHT = 0x1p-64;

  /** Rows for each byte of an element, from which on two readings are faster than a tile's tree. */
  private static final int DIFFERENCES_FROM = 2;

  private record Of(Operator operator, int rows, int kind, @Nullable Double decay) {}

  private final Of of;

  private Window(Of of) {
    this.of = of;
  }

  /**
   * Windows of the last elements.
   *
   * @param rows how many, at least 1
   * @throws IllegalArgumentException if {@code rows} is less than 1
   */
  public static Window rows(int rows, Operator operator) {
    if (rows < 1) {
      throw new IllegalArgumentException(
          "rows=%s: a window has at least one row, the element's own".formatted(rows));
    }
    return new Window(
        new Of(Objects.requireNonNull(operator, "operator"), rows, WindowStep.ROWS, null));
  }

  /**
   * Windows whose numbers of elements are a second input, of ints. One of less than 1 counts as 1,
   * and one that begins before the input begins with it. But for sums of integers, a plan first
   * assumes that no window has more than 512 elements; the first run that has repeats itself, and
   * it and all later ones take a launch for each doubling up to the capacity.
   */
  public static Window ofWidths(Operator operator) {
    Objects.requireNonNull(operator, "operator");
    return new Window(new Of(operator, Integer.MAX_VALUE, WindowStep.WIDTHS, null));
  }

  /**
   * Sums of floats or doubles in which each element counts {@code decay} times as much as the one
   * after it: {@code y[i] = x[i] + decay * y[i - 1]}. Elements that would count less than 2^-64
   * times as much as the last one are left out. Each product and sum is rounded once, as by {@code
   * Math.fma}.
   *
   * @param decay from 0 below 1; for floats it is rounded
   * @throws IllegalArgumentException if it is not
   */
  public static Window decayed(double decay) {
    if (!(decay >= 0 && decay < 1)) {
      throw new IllegalArgumentException(
          "decay=%s: it is from 0 below 1, so that earlier elements count less".formatted(decay));
    }
    int rows = 1;
    for (double weight = decay; weight >= LEAST_WEIGHT && rows < 1 << 30; weight *= weight) {
      rows *= 2;
    }
    return new Window(new Of(Operator.SUM, rows, WindowStep.ROWS, decay));
  }

  /**
   * These windows, each of which ends where a segment of the input begins. A second input, of ints,
   * has each element's position in its segment: 0, 1, 0, 1, 2 for the segments 3, 1 and 4, 1, 5.
   *
   * @throws IllegalArgumentException if the windows are {@link #ofWidths}
   */
  public Window inSegments() {
    if (of.kind == WindowStep.WIDTHS) {
      throw new IllegalArgumentException(
          "%s are not cut by segments: give widths that end with them".formatted(this));
    }
    return new Window(new Of(of.operator, of.rows, WindowStep.IN_SEGMENTS, of.decay));
  }

  /**
   * The primitives of this operation.
   *
   * @param output name of the output, an array
   * @param inputs the elements, and the second input of those windows that have one
   * @throws IllegalArgumentException if there are too few or too many, or they are of other types
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    int wanted = of.kind == WindowStep.ROWS ? 1 : 2;
    if (inputs.size() != wanted) {
      throw new IllegalArgumentException(
          "%s take %s inputs, given are %s".formatted(this, wanted, inputs.size()));
    }
    Input values = inputs.getFirst();
    boolean isDefined =
        of.decay == null ? values.type() != ElementType.BYTE : values.type().isFloating();
    if (!isDefined) {
      throw new IllegalArgumentException(
          "%s are over %sfloats or doubles, input %s is of type %s"
              .formatted(
                  this, of.decay == null ? "ints, longs, " : "", values.name(), values.type()));
    }
    of.operator.requireDefinedOn(values.type());
    Input given = wanted == 1 ? null : inputs.getLast();
    if (given != null && given.type() != ElementType.INT) {
      throw new IllegalArgumentException(
          "the second input of %s is of ints, %s is of type %s"
              .formatted(this, given.name(), given.type()));
    }
    boolean isDifference = // of sums up to each element
        of.operator.equals(Operator.SUM)
            && !values.type().isFloating()
            && of.rows / values.type().bytes() >= DIFFERENCES_FROM;
    if (!isDifference) {
      return new Expansion(
          List.of(new WindowStep(output, values, given, of.kind, of.operator, of.rows, of.decay)),
          List.of());
    }
    Input sums = new Input(output + ".sums", values.type(), values.capacity());
    List<Primitive> parts =
        new ArrayList<>(
            Scan.inclusive(Operator.SUM).expand(sums.name(), List.of(values)).primitives());
    parts.add(new WindowSumStep(output, sums, given, of.kind, of.rows));
    return new Expansion(List.of(Composite.of(output, parts, Set.of(output))), List.of());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Window that && of.equals(that.of);
  }

  @Override
  public int hashCode() {
    return of.hashCode();
  }

  @Override
  public String toString() {
    String what = of.decay == null ? "windows by " + of.operator : "sums that decay by " + of.decay;
    return switch (of.kind) {
      case WindowStep.WIDTHS -> what + " of given widths";
      case WindowStep.IN_SEGMENTS -> "%s of %s rows in segments".formatted(what, of.rows);
      default -> "%s of %s rows".formatted(what, of.rows);
    };
  }
}
