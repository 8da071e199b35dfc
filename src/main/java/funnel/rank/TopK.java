package funnel.rank;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.sort.Order;
import funnel.transform.Take;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The largest or the smallest elements of an array, and where they are.
 *
 * <p><b>Definition.</b> The output has the {@code k} largest elements, the largest first, or the
 * smallest, the smallest first: of 3, 1, 4, 1, 5 the 3 largest are 5, 4, 3, and their {@linkplain
 * #positions positions} 4, 2, 0; the 2 smallest are 1, 1, at 1, 3. It is what {@link
 * funnel.sort.Sort} has in front, and the positions what {@link Order} has: of equal elements the
 * one with the smaller position comes first, and if not all of them are among the {@code k}, it is
 * those with the smallest positions that are.
 *
 * {@snippet class="funnel.docs.RankSnippets" region="top"}
 *
 * <p><b>Fewer elements.</b> Where the input has fewer than {@code k}, the output has all of them: a
 * plan may be run over any length, and lengths may be found on the device. How many there are is a
 * length that is found, as that of a {@link funnel.select.Select}. <b>Empty input</b> gives an
 * empty output.
 *
 * <p><b>Elements</b> are bytes (0 to 255), ints, longs, floats or doubles, and are copied as they
 * are. Floating-point numbers are in the order of {@link Float#compare} and {@link Double#compare}:
 * -0.0 before 0.0, and NaN is larger than all numbers. All NaN are equal.
 *
 * <p><b>In place</b> is nothing: outputs may not overlap the input.
 *
 * <p><b>Rows</b> with the largest keys are those at the positions: {@link funnel.transform.Gather}
 * takes them from any column.
 *
 * <p><b>Cost</b> on a device: of 2^24 elements and more two readings, one that leaves few
 * candidates for the last one that is wanted, by a sample, and one that counts how many are before
 * it; and a part of a third to find where all are. Of fewer, and where a sample says nothing, as
 * many more as an element has bytes, less one. Then a sort of {@code k}. Extra memory: for {@code
 * k} elements as for a sort, at most 160 KB, and from 2^24 elements on, of more than a byte, a
 * quarter of the input. On the JVM two or three passes.
 *
 * <p>Immutable and serializable. After {@code DeviceTopK} of CUB, which gives them in no order, and
 * {@code nlargest} of data frames.
 *
 * @param k how many
 * @param isLargest whether the largest are wanted, or the smallest
 * @param hasElements whether the elements are an output
 * @param hasPositions whether their positions are
 */
public record TopK(int k, boolean isLargest, boolean hasElements, boolean hasPositions)
    implements Operation, Serializable {

  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if it is not positive, or nothing is an output
   */
  public TopK {
    if (k < 1) {
      throw new IllegalArgumentException("k=%d: give 1 at least".formatted(k));
    }
    if (!hasElements && !hasPositions) {
      throw new IllegalArgumentException(
          "hasElements=false, hasPositions=false: say one of them at least");
    }
  }

  /**
   * The {@code k} largest elements.
   *
   * @throws IllegalArgumentException if {@code k} is not positive
   */
  public static TopK largest(int k) {
    return new TopK(k, true, true, false);
  }

  /**
   * The {@code k} smallest elements.
   *
   * @throws IllegalArgumentException if {@code k} is not positive
   */
  public static TopK smallest(int k) {
    return new TopK(k, false, true, false);
  }

  /** The same with positions as ints, the first 0, in the place of the elements. */
  public TopK positions() {
    return new TopK(k, isLargest, false, true);
  }

  /** The same with the positions too, in an output of the name and {@code _positions}. */
  public TopK withPositions() {
    return new TopK(k, isLargest, true, true);
  }

  /**
   * What a plan's builder adds for these elements.
   *
   * @param output name of the output
   * @param inputs the elements
   * @throws IllegalArgumentException if there is not one input
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input x = Expansion.only(inputs, this);
    String found = output + ".found";
    int most = Math.min(k, x.capacity());
    List<Primitive> parts = new ArrayList<>();
    parts.add(RankSelect.of(output + ".select", x, Ranks.first(k, isLargest), found));
    Input unordered = taken(output + ".unordered", x, found, most, parts);
    Order order = isLargest ? Order.descending() : Order.ascending();
    String ordered = output + ".order";
    parts.addAll(order.expand(ordered, List.of(unordered)).primitives());
    String positions = hasElements ? output + (hasPositions ? "_positions" : ".positions") : output;
    taken(positions, new Input(found, ElementType.INT, most), ordered, most, parts);
    Set<String> visible = new LinkedHashSet<>();
    if (hasPositions) {
      visible.add(positions);
    }
    if (hasElements) {
      taken(output, x, positions, most, parts);
      visible.add(output);
    }
    return new Expansion(List.of(Composite.of(output, parts, visible)), List.of());
  }

  private static Input taken(
      String name, Input of, String positions, int most, List<Primitive> parts) {
    parts.add(new Take(name, of.name(), positions, null, null, of.type(), most));
    return new Input(name, of.type(), most);
  }

  @Override
  public String toString() {
    return "%d %s%s"
        .formatted(
            k,
            isLargest ? "largest" : "smallest",
            !hasElements ? " by position" : hasPositions ? " with positions" : "");
  }
}
