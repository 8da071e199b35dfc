package funnel.histogram;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.sort.Sort;
import funnel.transform.IndexCheckStep;
import funnel.transform.IndexOutsideException;
import java.util.List;
import java.util.Set;

/**
 * Arbitration: of several requests for the same seat, the first by position wins. It replaces a
 * compare-and-swap by many threads, whose winners depend on timing.
 *
 * <p>With three seats and the requests 2, 0, 2, -1, where -1 requests no seat, the winners are 1,
 * -1, 0: request 1 gets seat 0, no request is for seat 1, and request 0 comes before request 2. The
 * second output says for each request whether it won: 1, 1, 0, 0.
 *
 * {@snippet class="funnel.docs.AtomicsSnippets" region="patterns"}
 *
 * <p><b>Requests</b> are -1 or at least 0 and less than the number of seats. For any other request
 * the run throws an {@link IndexOutsideException} with the position of the first one, and the
 * outputs are unchanged.
 *
 * <p><b>Empty input</b> leaves all seats without a winner (-1).
 *
 * <p>There is no <b>in-place</b> form: an output must not overlap the requests or the other output.
 *
 * <p><b>Cost.</b> A stable {@linkplain Sort sort} of the requests with their positions: one pass
 * for every 8 bits of the number of seats, with 20 bytes of traffic per request; extra memory is
 * 16.5 bytes per request. On the JVM a loop over the requests.
 *
 * <p>Immutable.
 *
 * @param seats the number of seats
 */
public record Arbitration(int seats) implements Operation {

  /**
   * Checks the number of seats.
   *
   * @throws IllegalArgumentException if {@code seats} is less than 1 or more than an array can have
   */
  public Arbitration {
    if (seats < 1 || seats > Input.LARGEST_CAPACITY) {
      throw new IllegalArgumentException(
          "seats=%s, at least 1 and at most %s".formatted(seats, Input.LARGEST_CAPACITY));
    }
  }

  /** The arbitration of {@code seats} seats. */
  public static Arbitration of(int seats) {
    return new Arbitration(seats);
  }

  /**
   * @param output name of the first output: an int for each seat, the position of its winner or -1;
   *     the second output, {@code output + "_won"}, has an int for each request: 1 if it won, else
   *     0
   * @param inputs the requests, ints
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.size() != 1) {
      throw new IllegalArgumentException(
          "%s takes 1 input, given are %s".formatted(this, inputs.size()));
    }
    Input requests = inputs.getFirst();
    if (requests.type() != ElementType.INT) {
      throw new IllegalArgumentException(
          "requests of %s are ints, input %s is of type %s"
              .formatted(this, requests.name(), requests.type()));
    }
    IndexCheckStep check =
        new IndexCheckStep(
            output + ".check",
            "arbitration " + output,
            requests.name(),
            -1,
            null,
            seats,
            requests.capacity());
    String positions = output + ".positions";
    Primitive sort = Sort.step(output + ".sorted", positions, requests, seats + 1);
    WinnersStep winners =
        new WinnersStep(
            output, check.id(), requests.name(), sort.id(), positions, seats, requests.capacity());
    List<Primitive> parts = List.of(check, sort, winners);
    Set<String> visible = Set.of(output, winners.won());
    return new Expansion(
        List.of(Composite.of(output, parts, visible, List.of(check, winners))), List.of());
  }

  @Override
  public String toString() {
    return "arbitration of %s seats".formatted(seats);
  }
}
