package funnel.bench;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Something to measure.
 *
 * @param <I> the input
 * @param <T> the task
 * @param <C> the case that its measurements describe
 */
interface Subject<I extends Input, T, C extends Case> {

  /** Its name in reports. */
  String name();

  /** Whether it supports an input and a task. */
  default boolean takes(I input, T task) {
    return true;
  }

  /** Whether it runs after all others, since it may make the device unusable. */
  default boolean isLast() {
    return false;
  }

  /** Runs something small until the JVM has compiled the code that leads to the device. */
  default void warmUpEngine(Effort effort) {}

  /** Measures; a failure is in the measurement's note. */
  Measurement<C> measure(I input, T task, Effort effort);

  /**
   * Times of kernels, or null if there are none. This is a separate pass, since TornadoVM's
   * profiler slows down every run.
   *
   * @param profile switches the measurement on and off
   * @param nanos the time of the last run's kernels
   */
  static Timing kernelTimes(
      Consumer<Boolean> profile, Runnable run, LongSupplier nanos, Effort effort) {
    profile.accept(true);
    try {
      return effort.times(
          () -> {
            run.run();
            return nanos.getAsLong();
          });
    } finally {
      profile.accept(false);
    }
  }
}
