package funnel;

import funnel.operator.ElementFunction;
import funnel.operator.Operator;
import funnel.scan.Window;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Windows of an array: of each element, and of those before it that are near. {@code
 * x.rolling(3).sum()} is 3, 4, 8, 6, 10 for 3, 1, 4, 1, 5.
 *
 * {@snippet class="funnel.docs.ArraySnippets" region="rolling"}
 *
 * <p>A window ends with its element, and is shorter where the array or the element's segment
 * begins: {@code skip(2)} of the results leaves out those of less than three elements. Windows by a
 * range of keys have the elements up to their own whose keys are more than its key minus the range.
 * The keys are in ascending order; equal keys after the element are not in its window. {@link
 * Window} says what the results are. Immutable and lazy, like an {@link Array}.
 *
 * @param <S> the array's class
 */
public final class Rolling<S extends Array<?, S>> {

  /** A number that depends on a position, or on a number of elements. */
  interface Weight extends ElementFunction {
    double of(double value, int at);
  }

  private final S of;
  private final Doubles wide;
  private final Function<Operator, Window> windows;
  private final int rows;
  private final @Nullable Ints given;

  /**
   * Windows.
   *
   * @param wide the elements as doubles
   * @param rows how many elements a window has; 0 if {@code given} says it
   * @param given widths, or positions in segments; null if windows have none of both
   */
  Rolling(S of, Doubles wide, Function<Operator, Window> windows, int rows, @Nullable Ints given) {
    this.of = of;
    this.wide = wide;
    this.windows = windows;
    this.rows = rows;
    this.given = given;
    var _ = windows.apply(Operator.SUM); // checks the number of rows
  }

  private <T extends Array<?, T>> T reduce(Operator operator, T elements) {
    Window window = windows.apply(operator);
    Operand[] more = given == null ? new Operand[0] : new Operand[] {given};
    return elements.like(elements.node(window, more).output(elements.type()));
  }

  /** The elements of each window combined, in their order. */
  public S reduce(Operator operator) {
    return reduce(operator, of);
  }

  /** The sum of each window. Sums of ints and longs wrap around. */
  public S sum() {
    return reduce(Operator.SUM);
  }

  /** The least element of each window; NaN if there is one. */
  public S min() {
    return reduce(Operator.MIN);
  }

  /** The largest element of each window; NaN if there is one. */
  public S max() {
    return reduce(Operator.MAX);
  }

  /** The mean of each window: the sum of its elements as doubles, divided by their number. */
  public Doubles mean() {
    Doubles sums = reduce(Operator.SUM, wide);
    int most = rows;
    if (given == null) {
      return sums.mapIndexed((i, sum) -> sum / (i < most ? i + 1 : most));
    }
    Weight divided = (sum, count) -> sum / count;
    return of.funnel.doubles(divided, sums, count());
  }

  /** How many elements each window has. */
  public Ints count() {
    int most = rows;
    if (given == null) {
      return wide.mapIndexed((i, _) -> i < most ? i + 1 : most).asInts();
    }
    return rows == 0 ? given : given.map(i -> i < most ? i + 1 : most);
  }

  @Override
  public String toString() {
    return "%s of %s".formatted(windows.apply(Operator.SUM), of);
  }
}
