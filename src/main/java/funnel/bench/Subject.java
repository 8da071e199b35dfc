package funnel.bench;

import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Something that is measured.
 *
 * @param <I> what it works on
 * @param <T> what is asked of it
 * @param <C> what its measurements are about
 */
interface Subject<I extends Input, T, C extends Case> {

  /** Its name in reports. */
  String name();

  /** Whether it is for such an input and task. */
  default boolean takes(I input, T task) {
    return true;
  }

  /** Whether all others are measured before it, since it may take the device away from them. */
  default boolean isLast() {
    return false;
  }

  /** Runs something small until the JVM has compiled the way to the device. */
  default void warmUpEngine(Effort effort) {}

  /** Runs it; what goes wrong is in the measurement's note. */
  Measurement<C> measure(I input, T task, Effort effort);

  /**
   * Times of kernels, or null where there are none. A pass of its own, since TornadoVM's profiler
   * slows every run down.
   *
   * @param profile switches the measurement on and off
   * @param nanos the time of the last run's kernels; negative where there are none
   */
  static @Nullable Timing kernelTimes(
      Consumer<Boolean> profile, Runnable run, LongSupplier nanos, Effort effort) {
    profile.accept(true);
    try {
      run.run();
      if (nanos.getAsLong() < 0) {
        return null;
      }
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
