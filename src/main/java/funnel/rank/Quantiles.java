package funnel.rank;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Exact quantiles of an array, any number of them at a time.
 *
 * <p><b>Definition.</b> The quantile {@code q} of {@code n} elements is the element at rank {@code
 * ceil(qn) - 1} in ascending order, where the first has rank 0: the smallest element such that a
 * share of at least {@code q} of all elements is not above it. The quantile 0 is the smallest
 * element, 1 the largest. For 3, 1, 4, 1, 5 the quantiles 0, 0.5 and 0.9 are 1, 3 and 5. The output
 * has the quantiles in the requested order, of the elements' type. It is {@code percentile_disc} of
 * SQL, and {@code inverted_cdf} of NumPy.
 *
 * <p><b>{@linkplain #interpolated Interpolated}</b> quantiles are doubles on the line between the
 * elements at the ranks on both sides of {@code q(n - 1)}: for 1, 2, 3, 10 the median is 2.5, but 2
 * by the definition above. This is NumPy's default, and {@code percentile_cont} of SQL.
 *
 * {@snippet class="funnel.docs.RankSnippets" region="quantiles"}
 *
 * <p><b>Elements</b> are bytes (0 to 255), ints, longs, floats or doubles. Floating-point numbers
 * are in the order of {@link funnel.sort.Sort}: -0.0 before 0.0, and NaN is larger than all
 * numbers, so that most quantiles of an array with few NaN are numbers.
 *
 * <p><b>Interpolation</b> between elements {@code a <= b} with a share {@code t}, from 0 below 1,
 * gives {@code a + (b - a)t}, or {@code b - (b - a)(1 - t)} if {@code t} is 0.5 or more, in
 * doubles, to which longs are rounded; it gives {@code a} if {@code a} equals {@code b} or {@code
 * t} is 0. Between a number and an infinity it is that infinity, between two different infinities
 * NaN; of other numbers it is finite, even if {@code b - a} overflows. If {@code b} is NaN, so is
 * the result. Results have the same bits on every engine, except those of NaN. {@link #between} is
 * this formula.
 *
 * <p><b>Empty input</b> has no quantiles: the output is empty. The length of the output is
 * therefore found in the run, like that of a {@link funnel.select.Select}.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the input.
 *
 * <p><b>Cost</b> on a device: for 2^24 elements and more, and up to five quantiles, one read of all
 * elements that selects few candidates by means of a sample, then passes over these. For fewer
 * elements, or if a sample does not help, passes that read all elements and write nothing. Up to 16
 * ranks, which are 8 interpolated quantiles, share these passes: as many as the elements have
 * bytes, and more if the quantiles are far apart, for ints at most 7. Each further 16 ranks are
 * counted separately in the same launches; for more than some 30 ranks, {@link funnel.sort.Sort}
 * the elements instead. Extra memory: some 2 KB for 16 ranks, and with a sample a quarter of the
 * input. The JVM makes two passes, and passes over the remaining candidates.
 *
 * <p>Immutable and serializable.
 *
 * @param quantiles the quantiles, each from 0 to 1
 * @param isInterpolated whether results are doubles between two elements
 */
public record Quantiles(List<Double> quantiles, boolean isInterpolated)
    implements Operation, Serializable {

  private static final int MOST = 1024;

  /**
   * Checks the quantiles.
   *
   * @throws IllegalArgumentException if there are none or more than 1024, or one is not from 0 to 1
   */
  public Quantiles {
    quantiles = quantiles.stream().map(q -> q + 0.0).toList();
    if (quantiles.isEmpty() || quantiles.size() > MOST) {
      throw new IllegalArgumentException(
          "quantiles=%s: give from 1 to %s; for more, sort".formatted(quantiles.size(), MOST));
    }
    for (int i = 0; i < quantiles.size(); i++) {
      double q = quantiles.get(i);
      if (!(q >= 0 && q <= 1)) {
        throw new IllegalArgumentException(
            "quantile %s is %s: give numbers from 0 to 1".formatted(i, q));
      }
    }
  }

  /**
   * The element at each of these quantiles.
   *
   * @throws IllegalArgumentException if there are none or more than 1024, or one is not from 0 to 1
   */
  public static Quantiles of(double... quantiles) {
    return new Quantiles(DoubleStream.of(quantiles).boxed().toList(), false);
  }

  /** The quantile 0.5: for an even number of elements the lower of the two in the middle. */
  public static Quantiles median() {
    return of(0.5);
  }

  /**
   * The formula of {@linkplain #interpolated interpolated} quantiles: 1.5 between 1 and 3 with the
   * share 0.25.
   *
   * @param a a number
   * @param b a number that is not less
   * @param share the share of {@code b}, from 0 below 1
   */
  public static double between(double a, double b, double share) {
    return Interpolation.between(a, b, share, Interpolation.product(a, b, share));
  }

  /**
   * The ranks of the elements that these quantiles are, or between which they are interpolated, two
   * for each: 2 of five elements for the median, and 2, 3 if it is interpolated.
   *
   * @param count the number of elements, at least one
   */
  public long[] ranks(long count) {
    Ranks ranks = Ranks.of(quantiles, isInterpolated);
    return IntStream.range(0, ranks.count()).mapToLong(i -> ranks.at(i, count)).toArray();
  }

  /**
   * Interpolated quantiles from the elements at their {@link #ranks}: 2.5 from 2 and 3 for the
   * median of four.
   */
  public double[] between(long count, double... elements) {
    Ranks ranks = Ranks.of(quantiles, true);
    double[] between = new double[quantiles.size()];
    Arrays.setAll(
        between, i -> between(elements[2 * i], elements[2 * i + 1], ranks.weight(i, count)));
    return between;
  }

  /** These quantiles with interpolation between neighbouring elements, as doubles. */
  public Quantiles interpolated() {
    return new Quantiles(quantiles, true);
  }

  /**
   * @param output name of the output
   * @param inputs the elements
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input x = Expansion.only(inputs, this);
    Ranks ranks = Ranks.of(quantiles, isInterpolated);
    String elements = isInterpolated ? output + ".elements" : output;
    RankSelectStep select = RankSelectStep.of(output + ".select", x, ranks, elements);
    List<Primitive> parts = new ArrayList<>(List.of(select));
    if (isInterpolated) {
      parts.add(
          new InterpolateStep(output, elements, select.weights(), x.type(), quantiles.size()));
    }
    return new Expansion(List.of(Composite.of(output, parts, Set.of(output))), List.of());
  }

  @Override
  public String toString() {
    return "quantiles %s%s".formatted(quantiles, isInterpolated ? ", interpolated" : "");
  }
}
