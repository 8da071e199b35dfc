package funnel.select;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.Transform;
import java.util.List;
import java.util.Set;

/**
 * A partition into three parts: the elements for which a first predicate holds, those of the others
 * for which a second predicate holds, and the rest, each in their order.
 *
 * <p><b>Definition.</b> For 3, 1, 4, 1, 5, 0 with "over 3" and "over 0" the parts are 4, 5 and 3,
 * 1, 1 and 0: the arrays {@code output + "_first"}, {@code output + "_second"} and {@code output +
 * "_rest"}, whose lengths are found on the device.
 *
 * {@snippet class="funnel.docs.SelectSnippets" region="three"}
 *
 * <p>Predicates, types, empty input and overlaps are as for {@link Select}. A second predicate with
 * an index gets that among the elements for which the first one does not hold.
 *
 * <p><b>Cost</b> is that of a {@link Partition} of all elements and of a second one of those for
 * which the first predicate does not hold; these take extra memory of the input's size.
 *
 * <p>Immutable. After {@code DevicePartition::If} by two predicates of CUB.
 *
 * @param first the first predicate
 * @param second the second predicate
 */
public record ThreeWayPartition(Transform first, Transform second) implements Operation {

  /**
   * Checks the predicates.
   *
   * @throws IllegalArgumentException if one is not a predicate
   */
  public ThreeWayPartition {
    Criterion.requireTest(first);
    Criterion.requireTest(second);
  }

  /**
   * @param output prefix of the outputs' names
   * @param inputs the elements
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input elements = Expansion.only(inputs, this);
    Input others = new Input(output + ".others", elements.type(), elements.capacity());
    String one = output + "_first";
    String two = output + "_second";
    String rest = output + "_rest";
    SelectStep.Names names = new SelectStep.Names(one, null, others.name(), false);
    SelectStep.Names again = new SelectStep.Names(two, null, rest, false);
    SelectStep select =
        Criterion.of(this, first, elements, true, null).select(output + ".one", elements, names);
    SelectStep next =
        Criterion.of(this, second, others, true, null).select(output + ".two", others, again);
    return new Expansion(
        List.of(Composite.of(output, List.of(select, next), Set.of(one, two, rest))), List.of());
  }

  @Override
  public String toString() {
    return "partition where %s, where %s, and the rest".formatted(first, second);
  }
}
