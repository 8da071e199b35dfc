package funnel.sort;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import java.util.List;

/**
 * The order of an array's elements: the positions that they are at, smallest or largest first.
 *
 * <p><b>Definition.</b> The output has ints, as many as the input has elements, each position once:
 * {@code x[y[i]]} is what {@link Sort} puts at {@code i}. Of 3, 1, 4, 1 it is 1, 3, 0, 2, and
 * descending 2, 0, 1, 3. It stays on the device, where {@link funnel.transform.Gather} takes it for
 * any array of the same length; {@link Sort#rows} does that by itself.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="order"}
 *
 * <p><b>Stable.</b> Of equal elements the one that comes first in the input comes first in the
 * output, in descending order too. The order is that of {@link Sort}; all NaN are equal, -0.0 and
 * 0.0 are not.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p><b>In place</b> is nothing: the output may not overlap the input.
 *
 * <p><b>Cost</b> on a device: as for {@link Sort}, and 8 bytes more an element and pass. Extra
 * memory: twice the input's elements, an int for each, and half a byte.
 *
 * <p>Immutable. After {@code argsort} of NumPy.
 */
public final class Order implements Operation {

  private static final Order ASCENDING = new Order(false);
  private static final Order DESCENDING = new Order(true);

  private final boolean isDescending;

  private Order(boolean isDescending) {
    this.isDescending = isDescending;
  }

  /** The position of the smallest first. */
  public static Order ascending() {
    return ASCENDING;
  }

  /** The position of the largest first. */
  public static Order descending() {
    return DESCENDING;
  }

  /**
   * What a plan's builder adds for this order.
   *
   * @param output name of the output, an array of ints
   * @param inputs the elements
   * @throws IllegalArgumentException if there is not one input
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input keys = Expansion.only(inputs, this);
    return new Expansion(List.of(RadixSort.of(output, keys, isDescending, true)), List.of());
  }

  @Override
  public String toString() {
    return isDescending ? "descending order" : "ascending order";
  }
}
