package funnel.bench;

import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * The time that a measurement may take.
 *
 * @param seconds time for the runs that count, and at most as much again for the warm-up
 * @param warmUps runs of the warm-up, unless its time ends first
 * @param fewest the least number of runs that count, whatever the time
 * @param most the largest number of runs that count
 */
record Effort(double seconds, int warmUps, int fewest, int most) {

  private static final double NANOS_PER_SECOND = 1e9;

  /** Runs something until it is warm. */
  void warmUp(Runnable run) {
    long start = System.nanoTime();
    for (int k = 0; k < warmUps && (k < fewest || !isOver(start)); k++) {
      run.run();
    }
  }

  /** Calls {@code oneRun} repeatedly; it returns the time of one run. */
  Timing times(LongSupplier oneRun) {
    double[] nanos = new double[most];
    long start = System.nanoTime();
    int count = 0;
    while (count < most && (count < fewest || !isOver(start))) {
      nanos[count++] = oneRun.getAsLong();
    }
    return new Timing(Arrays.copyOf(nanos, count));
  }

  /** Times something by the host's clock. */
  Timing wall(Runnable run) {
    return times(
        () -> {
          long start = System.nanoTime();
          run.run();
          return System.nanoTime() - start;
        });
  }

  private boolean isOver(long start) {
    return System.nanoTime() - start > seconds * NANOS_PER_SECOND;
  }
}
