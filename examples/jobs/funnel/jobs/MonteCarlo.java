package funnel.jobs;

import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.histogram.Histogram;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import funnel.transform.Elementwise;
import funnel.transform.RandomNumbers;
import java.util.Locale;

/** Estimates pi as the mean height of a quarter of a circle over random places, with its error. */
public final class MonteCarlo {

  private static final Histogram BINS = Histogram.even(20, 0.0, 4.0);
  private static final double SIGMAS_OF_95_PERCENT = 1.96;

  /**
   * No product is followed by an addition here, so that no device contracts it: the bits are the
   * same everywhere.
   */
  private static final Elementwise HEIGHT =
      Elementwise.ofDouble("height", u -> 4 * Math.sqrt((1 - u) * (1 + u)));

  private MonteCarlo() {}

  /** The mean, half the width of its 95 % confidence interval, and a histogram of the heights. */
  public record Estimate(double mean, double error, int[] heights) {}

  /** The job. */
  public static Plan plan(Funnel funnel, int samples, long seed) {
    return funnel
        .plan("pi")
        .add("u", RandomNumbers.of(ElementType.DOUBLE, seed, samples))
        .add("height", HEIGHT, "u")
        .add("mean", Reduction.mean(), "height")
        .add("variance", Reduction.sampleVariance(), "height")
        .add("heights", BINS, "height")
        .build();
  }

  /** The estimate from the results of a run. */
  public static Estimate estimate(Results run) {
    double samples = run.length("height");
    return new Estimate(
        run.getDouble("mean"),
        SIGMAS_OF_95_PERCENT * Math.sqrt(run.getDouble("variance") / samples),
        run.ints("heights"));
  }

  /** Prints the estimate from the given number of samples, or from 20 million. */
  public static void main(String[] arguments) {
    int samples = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20_000_000;
    try (Funnel funnel = Funnel.open();
        Plan plan = plan(funnel, samples, 1)) {
      Estimate estimate = estimate(plan.run());
      IO.println(String.format(Locale.ROOT, "%.6f +- %.6f", estimate.mean(), estimate.error()));
      for (int bin = 0; bin < BINS.bins(); bin++) {
        IO.println(
            String.format(
                Locale.ROOT, "from %.1f: %s", BINS.edges()[bin], estimate.heights()[bin]));
      }
    }
  }
}
