package funnel.histogram;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Tickets: elements that ask get consecutive numbers, in the order of their positions. They replace
 * a counter that many threads increment atomically, whose numbers depend on timing.
 *
 * <p>For 0, 1, 1, 0, 5, where any value other than 0 asks, the tickets are -1, 0, 1, -1, 2, and the
 * plan's value {@code output_total} is 3. A ticket is the index at which an element may write, so
 * that lists fill without gaps and in the same order in every run.
 *
 * {@snippet class="funnel.docs.AtomicsSnippets" region="patterns"}
 *
 * <p><b>Empty input</b> gives no tickets, and the total 0.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the input.
 *
 * <p><b>Cost.</b> A {@linkplain Scan scan} of as many ints, one pass before it and one after it,
 * and two ints of extra memory per element.
 *
 * <p>Immutable.
 */
public record Tickets() implements Operation {

  /** Tickets in the order of positions. */
  public static Tickets stable() {
    return new Tickets();
  }

  /**
   * @param output name of the output: an int for each element of the input, its ticket or -1; their
   *     number is the value {@code output + "_total"}
   * @param inputs the elements: bytes or ints, not 0 if they ask
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.size() != 1) {
      throw new IllegalArgumentException(
          "%s take 1 input, given are %s".formatted(this, inputs.size()));
    }
    Input asks = inputs.getFirst();
    if (asks.type() != ElementType.BYTE && asks.type() != ElementType.INT) {
      throw new IllegalArgumentException(
          "%s take bytes or ints, input %s is of type %s"
              .formatted(this, asks.name(), asks.type()));
    }
    TicketSteps.Asked asked = new TicketSteps.Asked(output + ".asked", asks);
    Input flags = new Input(asked.id(), ElementType.INT, asks.capacity());
    String before = output + ".before";
    List<Primitive> parts = new ArrayList<>(List.of(asked));
    parts.addAll(Scan.exclusive(Operator.SUM).expand(before, List.of(flags)).primitives());
    TicketSteps.Given given = new TicketSteps.Given(output, asked.id(), before, asks.capacity());
    parts.add(given);
    return new Expansion(
        List.of(Composite.of(output, parts, Set.of(output))),
        List.of(Output.of(given.total(), ElementType.INT, asks.name(), "")));
  }

  @Override
  public String toString() {
    return "stable tickets";
  }
}
