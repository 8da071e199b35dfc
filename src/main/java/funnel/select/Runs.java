package funnel.select;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import java.util.List;

/**
 * Runs of equal elements: run-length encoding.
 *
 * <p><b>Definition.</b> A run is a longest stretch of neighbours that are all equal. Of 4, 4, 7, 9,
 * 9, 9 the runs' elements are 4, 7, 9, their starts 0, 2, 3 and their lengths 2, 1, 3: the outputs
 * {@code output}, {@code output + "_starts"} and {@code output + "_lengths"}. All three are as long
 * as there are runs, which is found on the device. Of sorted elements these are the distinct ones
 * and how often each is there.
 *
 * {@snippet class="funnel.docs.SelectSnippets" region="runs"}
 *
 * <p><b>Equal</b> are elements of which {@code equals} of their boxes says so: all NaN are one, and
 * 0.0 and -0.0 differ. A run of NaN has the first one's bits. Elements are bytes, ints, longs,
 * floats or doubles.
 *
 * <p><b>Empty input</b> has no runs.
 *
 * <p><b>In place</b> is nothing: outputs may not overlap the input.
 *
 * <p><b>Cost</b> on a device, of {@code r} runs of {@code n} elements of {@code w} bytes: {@code nw
 * + r(w + 4)} bytes in one launch, or {@code 2nw + r(w + 4)} in four, and {@code 8r} in another.
 *
 * <p>Immutable. After {@code DeviceRunLengthEncode} of CUB, which takes each NaN for a run.
 */
public final class Runs implements Operation {

  private static final Runs ENCODED = new Runs();

  private Runs() {}

  /** The runs of an array. */
  public static Runs encode() {
    return ENCODED;
  }

  /**
   * What a plan's builder adds for these runs.
   *
   * @param output name of the runs' elements, and what names of starts and lengths begin with
   * @param inputs the elements
   * @throws IllegalArgumentException if there is not one input
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input input = Expansion.only(inputs, this);
    String starts = output + "_starts";
    TileSelect heads =
        Criterion.heads(input)
            .select(output, input, new TileSelect.Names(output, starts, null, false));
    return new Expansion(
        List.of(heads, new RunLengths(output + "_lengths", starts, input.name(), input.capacity())),
        List.of());
  }

  @Override
  public String toString() {
    return "runs";
  }
}
