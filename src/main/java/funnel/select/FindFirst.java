package funnel.select;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import java.util.List;

/**
 * The position of the first element that a predicate holds for, an int, or -1 if there is none.
 *
 * <p><b>Definition.</b> Of 3, 1, 4, 1 by "over 3" it is 2, by "over 5" it is -1. The predicate
 * holds for any element if this is not -1, and for all if that of {@link #rejecting} is.
 *
 * {@snippet class="funnel.docs.SelectSnippets" region="first"}
 *
 * <p>Predicates and types are as for {@link Select}. <b>Empty input</b> gives -1.
 *
 * <p><b>Cost.</b> On a device all elements are read once, in two launches; extra memory is 4 bytes
 * for each of at most 2048 blocks. The JVM stops where it has found one.
 *
 * <p>Immutable. After {@code find_if} of Thrust.
 *
 * @param predicate the predicate
 * @param keeps whether what it holds for is looked for, or what it does not hold for
 */
public record FindFirst(Transform predicate, boolean keeps) implements Operation {

  /**
   * Checks the predicate.
   *
   * @throws IllegalArgumentException if it is none
   */
  public FindFirst {
    Criterion.requireTest(predicate);
  }

  /**
   * The first element that a predicate holds for.
   *
   * @throws IllegalArgumentException if {@code predicate} is no predicate
   */
  public static FindFirst where(Transform predicate) {
    return new FindFirst(predicate, true);
  }

  /** The same with the first element that it does not hold for. */
  public FindFirst rejecting() {
    return new FindFirst(predicate, !keeps);
  }

  /**
   * What a plan's builder adds for this search.
   *
   * @param output name of the position
   * @param inputs the elements
   * @throws IllegalArgumentException if there is not one input, or the predicate is of another type
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input elements = Expansion.only(inputs, this);
    predicate.requireOver(elements.name(), elements.type());
    Search search =
        new Search(output, elements.name(), elements.type(), predicate, keeps, elements.capacity());
    return new Expansion(
        List.of(search), List.of(Output.of(output, ElementType.INT, elements.name(), "")));
  }

  @Override
  public String toString() {
    return (keeps ? "first where " : "first where not ") + predicate;
  }
}
