package funnel.rank;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;

/**
 * Quantiles of an array, exact, any number of them at once.
 *
 * <p><b>Definition.</b> The quantile {@code q} of {@code n} elements is the one at rank {@code
 * ceil(qn) - 1} in ascending order, where the first is at rank 0: the smallest element that a share
 * of {@code q} is not above. The quantile 0 is the smallest one, 1 the largest. Of 3, 1, 4, 1, 5
 * the quantiles 0, 0.5 and 0.9 are 1, 3 and 5. The output has the quantiles in the order that they
 * were asked for, of the elements' type. It is {@code percentile_disc} of SQL, and {@code
 * inverted_cdf} of NumPy.
 *
 * <p><b>{@linkplain #interpolated Interpolated}</b> quantiles are doubles on the line between the
 * elements at the ranks on both sides of {@code q(n - 1)}: of 1, 2, 3, 10 the median is 2.5, while
 * the definition above has 2. It is what NumPy computes unless told otherwise, and {@code
 * percentile_cont} of SQL.
 *
 * {@snippet class="funnel.docs.RankSnippets" region="quantiles"}
 *
 * <p><b>Elements</b> are bytes (0 to 255), ints, longs, floats or doubles. Floating-point numbers
 * are in the order of {@link funnel.sort.Sort}: -0.0 before 0.0, and NaN is larger than all
 * numbers, so that of an array with few NaN most quantiles are numbers.
 *
 * <p><b>Between elements</b> {@code a <= b} with a share {@code t}, from 0 below 1, is {@code a +
 * (b - a)t}, or {@code b - (b - a)(1 - t)} where {@code t} is 0.5 or more, in doubles, to which
 * longs are rounded; it is {@code a} where that is equal to {@code b}, or {@code t} is 0. {@code b
 * - a} may overflow to infinity. With {@code b} NaN it is NaN. Results have the same bits on every
 * engine, but those of NaN.
 *
 * <p><b>Empty input</b> has no quantiles: the output is empty. The number of quantiles is therefore
 * a length that is found, as that of a {@link funnel.select.Select}.
 *
 * <p><b>In place</b> is nothing: the output may not overlap the input.
 *
 * <p><b>Cost</b> on a device: of 2^24 elements and more, and up to five quantiles, one reading that
 * leaves few candidates, by a sample, and passes over these. Of fewer elements, and where a sample
 * says nothing, passes that read all elements and write nothing. Up to 16 ranks, which are 8
 * quantiles that are interpolated, share them: as many as the elements have bytes, and more where
 * the quantiles lie far apart, of ints at most 7. Each 16 more are counted by themselves in the
 * same launches; of more than some 30 ranks, take the elements of a {@link funnel.sort.Sort}. Extra
 * memory: some 2 KB for 16 ranks, and with a sample a quarter of the input. On the JVM two passes,
 * and what they leave.
 *
 * <p>Immutable and serializable.
 *
 * @param quantiles from 0 to 1
 * @param isInterpolated whether results are doubles between two elements
 */
public record Quantiles(List<Double> quantiles, boolean isInterpolated)
    implements Operation, Serializable {

  private static final int MOST = 1024;

  /**
   * Checks the quantiles.
   *
   * @throws IllegalArgumentException if there are none, or more than 1024, or one is not from 0 to
   *     1
   */
  public Quantiles {
    quantiles = quantiles.stream().map(q -> q + 0.0).toList();
    if (quantiles.isEmpty() || quantiles.size() > MOST) {
      throw new IllegalArgumentException(
          "quantiles=%d: give from 1 to %d; for more, sort".formatted(quantiles.size(), MOST));
    }
    for (int i = 0; i < quantiles.size(); i++) {
      double q = quantiles.get(i);
      if (!(q >= 0 && q <= 1)) {
        throw new IllegalArgumentException(
            "quantile %d is %s: give numbers from 0 to 1".formatted(i, q));
      }
    }
  }

  /**
   * These quantiles.
   *
   * @throws IllegalArgumentException if there are none, or more than 1024, or one is not from 0 to
   *     1
   */
  public static Quantiles of(double... quantiles) {
    return new Quantiles(DoubleStream.of(quantiles).boxed().toList(), false);
  }

  /** The quantile 0.5: of an even number of elements the lower one of the two in the middle. */
  public static Quantiles median() {
    return of(0.5);
  }

  /** The same as doubles between the two elements that are next. */
  public Quantiles interpolated() {
    return new Quantiles(quantiles, true);
  }

  /**
   * What a plan's builder adds for these quantiles.
   *
   * @param output name of the output
   * @param inputs the elements
   * @throws IllegalArgumentException if there is not one input
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input x = Expansion.only(inputs, this);
    Ranks ranks = Ranks.of(quantiles, isInterpolated);
    String elements = isInterpolated ? output + ".elements" : output;
    RankSelect select = RankSelect.of(output + ".select", x, ranks, elements);
    List<Primitive> parts = new ArrayList<>(List.of(select));
    if (isInterpolated) {
      parts.add(new Interpolate(output, elements, select.weights(), x.type(), quantiles.size()));
    }
    return new Expansion(List.of(Composite.of(output, parts, Set.of(output))), List.of());
  }

  @Override
  public String toString() {
    return "quantiles %s%s".formatted(quantiles, isInterpolated ? ", interpolated" : "");
  }
}
