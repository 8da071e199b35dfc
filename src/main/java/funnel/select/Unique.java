package funnel.select;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import java.util.List;

/**
 * The first element of each run of equal neighbours: of sorted elements, the distinct ones.
 *
 * <p><b>Definition.</b> The output has {@code x[0]} and each {@code x[i]} that is not equal to
 * {@code x[i - 1]}, in their order: of 4, 4, 7, 9, 9, 4 it is 4, 7, 9, 4. Its length is found on
 * the device, where later operations of the plan take it as it is. {@link Runs} has starts and
 * lengths too.
 *
 * {@snippet class="funnel.docs.SelectSnippets" region="runs"}
 *
 * <p><b>Equal</b> are elements of which {@code equals} of their boxes says so: all NaN are one, and
 * 0.0 and -0.0 differ. Elements are bytes, ints, longs, floats or doubles.
 *
 * <p><b>Empty input</b> gives an empty output. <b>In place</b> is nothing: the output may not
 * overlap the input.
 *
 * <p><b>Cost</b> is that of a {@linkplain Select selection} by a predicate.
 *
 * <p>Immutable. After {@code DeviceSelect::Unique} of CUB and {@code unique} of Thrust, which take
 * each NaN for itself.
 */
public final class Unique implements Operation {

  private static final Unique ADJACENT = new Unique();

  private Unique() {}

  /** The first elements of runs. */
  public static Unique adjacent() {
    return ADJACENT;
  }

  /**
   * What a plan's builder adds for these elements.
   *
   * @param output name of the output, an array of the length that is found
   * @param inputs the elements
   * @throws IllegalArgumentException if there is not one input
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input input = Expansion.only(inputs, this);
    TileSelect.Names names = new TileSelect.Names(output, null, null, null, false);
    return new Expansion(List.of(Selections.heads(output, input, names)), List.of());
  }

  @Override
  public String toString() {
    return "adjacent unique elements";
  }
}
