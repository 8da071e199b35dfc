package funnel.jobs;

import funnel.Doubles;
import funnel.Funnel;
import funnel.Ints;
import funnel.Reading;
import funnel.Value;
import funnel.histogram.Histogram;
import funnel.reduce.Reduction;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Estimates pi as the mean height of a quarter of a circle over random places, and the price of an
 * option as the mean of what it pays at random prices, with their errors.
 */
public final class MonteCarlo {

  private static final Histogram BINS = Histogram.even(20, 0.0, 4.0);
  private static final double SIGMAS_OF_95_PERCENT = 1.96;

  private MonteCarlo() {}

  /** The mean, half the width of its 95 % confidence interval, and a histogram of the heights. */
  public record Estimate(double mean, double error, int[] heights) {}

  /** The job. Its function has the same bits everywhere. */
  public static Estimate estimate(Funnel funnel, int samples, long seed) {
    Doubles heights = funnel.random(seed, samples).map(u -> 4 * Math.sqrt((1 - u) * (1 + u)));
    Value mean = heights.value(Reduction.mean());
    Value variance = heights.value(Reduction.sampleVariance());
    Ints bins = heights.histogram(BINS);
    Reading read = funnel.read(mean, variance, bins);
    double ofMean = read.getDouble(variance) / samples;
    return new Estimate(
        read.getDouble(mean), SIGMAS_OF_95_PERCENT * Math.sqrt(ofMean), read.get(bins));
  }

  /** A mean, and half the width of its 95 % confidence interval. */
  public record Price(double mean, double error) {}

  /**
   * The price of the right to buy for {@code strike} what costs {@code price} now, if its price
   * will be normally distributed around that (Bachelier's model, without interest).
   */
  public static Price option(
      Funnel funnel, int samples, long seed, double price, double deviation, double strike) {
    Doubles changes = funnel.randomNormal(seed, samples);
    Doubles paid = changes.map(z -> Math.max(Math.fma(deviation, z, price) - strike, 0));
    Value mean = paid.value(Reduction.mean());
    Value variance = paid.value(Reduction.sampleVariance());
    Reading read = funnel.read(mean, variance);
    double ofMean = read.getDouble(variance) / samples;
    return new Price(read.getDouble(mean), SIGMAS_OF_95_PERCENT * Math.sqrt(ofMean));
  }

  /** Prints the estimates from the given number of samples, or from 20 million. */
  public static void main(String[] arguments) {
    Screen.run("MonteCarlo", arguments, 20_000_000, MonteCarlo::print);
  }

  private static void print(Funnel funnel, int samples) throws Exception {
    IO.println(
        String.format(
            Locale.ROOT,
            "pi from %,d random places: the mean height of a quarter of a circle, times 4",
            samples));
    Estimate estimate =
        Screen.beside(
            funnel,
            () -> estimate(funnel, samples, 1),
            () ->
                new SplittableRandom(1)
                    .doubles(samples)
                    .parallel()
                    .map(u -> 4 * Math.sqrt((1 - u) * (1 + u)))
                    .summaryStatistics());
    IO.println(
        String.format(
            Locale.ROOT,
            "pi is %.6f +- %.6f (95 %%); the heights:",
            estimate.mean,
            estimate.error));
    for (int bin = 0; bin < BINS.bins(); bin++) {
      IO.println(
          String.format(Locale.ROOT, "from %.1f: %s", BINS.edges()[bin], estimate.heights[bin]));
    }
    Price price = option(funnel, samples, 1, 100, 10, 105);
    IO.println(
        String.format(
            Locale.ROOT,
            "an option to buy for 105 what costs 100 is worth %.6f +- %.6f",
            price.mean,
            price.error));
  }
}
