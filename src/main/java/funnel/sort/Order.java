package funnel.sort;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The order of an array's elements: their positions, smallest or largest element first.
 *
 * <p><b>Definition.</b> The output has as many ints as the input has elements, each position once:
 * {@code x[y[i]]} is the element that {@link Sort} puts at {@code i}. For 3, 1, 4, 1 it is 1, 3, 0,
 * 2, and descending 2, 0, 1, 3. It stays on the device, where {@link funnel.transform.Gather}
 * applies it to any array of the same length; {@link Sort#rows} does both.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="order"}
 *
 * <p><b>Stable.</b> Equal elements keep their order, in descending order too. The order is that of
 * {@link Sort}; all NaN are equal, -0.0 and 0.0 are not.
 *
 * <p><b>Several inputs</b> are arrays of keys, equally long: the first decides, then the second
 * where those of the first are equal, and so on.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the input.
 *
 * <p><b>Cost</b> on a device: as for {@link Sort}, and 8 more bytes per element and pass. Extra
 * memory per element: two elements, an int, and half a byte.
 *
 * <p>Immutable. After {@code argsort} of NumPy.
 */
public final class Order implements Operation {

  private static final Order ASCENDING = new Order(Sort.ascending());
  private static final Order DESCENDING = new Order(Sort.descending());

  private final Sort sort;

  private Order(Sort sort) {
    this.sort = sort;
  }

  /** The order with the smallest element first. */
  public static Order ascending() {
    return ASCENDING;
  }

  /** The order with the largest element first. */
  public static Order descending() {
    return DESCENDING;
  }

  /**
   * The positions in the order of a sort, by bits for example, or unsigned.
   *
   * @param sort a sort that is not of rows
   * @throws IllegalArgumentException if it is of rows
   */
  public static Order of(Sort sort) {
    if (sort.isOfRows()) {
      throw new IllegalArgumentException(
          "%s has columns: give the sort without rows(), and all keys as inputs".formatted(sort));
    }
    return new Order(sort);
  }

  /**
   * The primitives of this order.
   *
   * @param output name of the output, an array of ints
   * @param inputs the elements, or several arrays of keys
   * @throws IllegalArgumentException if there is no input, or the elements' type lacks the bits or
   *     the sign of the sort
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("%s takes keys, given=0 inputs".formatted(this));
    }
    List<Primitive> parts = sort.ordering(output, inputs);
    return new Expansion(
        List.of(parts.size() == 1 ? parts.getFirst() : Composite.of(output, parts, Set.of(output))),
        List.of());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Order that && sort.equals(that.sort);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Order.class, sort);
  }

  @Override
  public String toString() {
    return "order of " + sort;
  }
}
