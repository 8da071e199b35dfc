package funnel.sort;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import java.util.List;
import java.util.stream.IntStream;

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
 *
 * @param sorts a sort for all arrays of keys, or one for each; none is of rows
 */
public record Order(List<Sort> sorts) implements Operation {

  /**
   * Checks the sorts.
   *
   * @throws IllegalArgumentException if there is none, or one is of rows
   */
  public Order {
    sorts = List.copyOf(sorts);
    if (sorts.isEmpty()) {
      throw new IllegalArgumentException("no sort is given: give one, or one for each key");
    }
    for (Sort sort : sorts) {
      if (sort.isOfRows()) {
        throw new IllegalArgumentException(
            "%s has columns: give the sort without rows(), and all keys as inputs".formatted(sort));
      }
    }
  }

  /** The order with the smallest element first. */
  public static Order ascending() {
    return of(Sort.ascending());
  }

  /** The order with the largest element first. */
  public static Order descending() {
    return of(Sort.descending());
  }

  /**
   * The positions in the order of a sort, by bits for example, or unsigned; or of one sort for each
   * array of keys: for the keys 1, 1, 0 and 5, 9, 7, the first ascending and the second descending,
   * they are 2, 1, 0.
   *
   * @throws IllegalArgumentException if one is of rows
   */
  public static Order of(Sort... sorts) {
    return new Order(List.of(sorts));
  }

  /**
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
    if (sorts.size() > 1 && sorts.size() != inputs.size()) {
      throw new IllegalArgumentException(
          "%s has %s sorts for %s arrays of keys: give one for all, or one for each"
              .formatted(this, sorts.size(), inputs.size()));
    }
    List<Sort> each =
        IntStream.range(0, inputs.size())
            .mapToObj(k -> sorts.get(sorts.size() > 1 ? k : 0))
            .toList();
    return new Expansion(List.of(Sort.ordering(output, inputs, each)), List.of());
  }

  @Override
  public String toString() {
    return "order of %s".formatted(sorts.size() > 1 ? sorts : sorts.getFirst());
  }
}
