package funnel.bench;

import funnel.Funnel;
import funnel.jobs.MonteCarlo;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** {@link MonteCarlo}, and loops over the same numbers. */
final class MonteCarloJob extends Job {

  private static final int BINS = 20;

  private final int samples;

  MonteCarloJob(int samples) {
    this.samples = samples;
  }

  /** Nothing is read. */
  @Override
  public long bytes() {
    return 0;
  }

  @Override
  Example byFunnel(Funnel funnel) {
    Step<Record> step = () -> MonteCarlo.estimate(funnel, samples, 0);
    return new Example(step, () -> step);
  }

  @Override
  boolean mayBeResident() {
    return false;
  }

  private static double height(double u) {
    return 4 * Math.sqrt((1 - u) * (1 + u));
  }

  private static int bin(double height) {
    return Math.min((int) (height * (BINS / 4.0)), BINS - 1);
  }

  @Override
  Record byLoop() {
    SplittableRandom random = new SplittableRandom(0);
    double sum = 0;
    double squares = 0;
    int[] counts = new int[BINS];
    for (int i = 0; i < samples; i++) {
      double height = height(random.nextDouble());
      sum += height;
      squares += height * height;
      if (height < 4) {
        counts[bin(height)]++;
      }
    }
    return estimate(sum, squares, counts);
  }

  private MonteCarlo.Estimate estimate(double sum, double squares, int[] counts) {
    double variance = (squares - sum * sum / samples) / (samples - 1);
    return new MonteCarlo.Estimate(sum / samples, 1.96 * Math.sqrt(variance / samples), counts);
  }

  /** Random numbers that several threads can make: the generator's value for each call's number. */
  @Override
  Record byStream() {
    double sum = heights().sum();
    double squares = heights().map(height -> height * height).sum();
    int[] counts =
        heights()
            .filter(height -> height < 4)
            .collect(
                () -> new int[BINS],
                (bins, height) -> bins[bin(height)]++,
                (bins, more) -> {
                  for (int bin = 0; bin < BINS; bin++) {
                    bins[bin] += more[bin];
                  }
                });
    return estimate(sum, squares, counts);
  }

  private DoubleStream heights() {
    return IntStream.range(0, samples)
        .parallel()
        .mapToDouble(i -> height((Workload.splitmix64(i) >>> 11) * 0x1p-53));
  }
}
