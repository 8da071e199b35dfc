package funnel.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jline.utils.Signals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles Ctrl-C, a closed terminal, or a request to terminate, during work: the worker is told to
 * stop, and the program ends when the worker has left everything in a consistent state. A second
 * signal ends the program immediately.
 */
final class Interruption implements AutoCloseable {

  /* The engine ensures for every program that no run on the device is interrupted. Here the work
   * after the run, such as a checkpoint, must be done too, so the signal is handled before the JVM
   * begins to shut down.
   */

  private static final Logger LOG = LoggerFactory.getLogger(Interruption.class);

  /** Signals and their numbers: a program that a signal has ended returns 128 plus its number. */
  private static final Map<String, Integer> SIGNALS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

  private final Map<String, Object> before = new LinkedHashMap<>();
  private final String lost;
  private volatile int requested;

  /**
   * Handles signals until {@link #close}.
   *
   * @param lost the message for a second signal
   */
  Interruption(String lost) {
    this.lost = lost;
    SIGNALS.forEach(
        (signal, number) -> {
          Object handler = Signals.register(signal, () -> request(number));
          if (handler == null) {
            LOG.warn("signal {} cannot be handled here: it ends the program immediately", signal);
          } else {
            before.put(signal, handler);
          }
        });
  }

  /** Whether the worker must stop. */
  boolean isRequested() {
    return requested > 0;
  }

  /** The exit code of the program after a request to stop. */
  int exitCode() {
    return 128 + requested;
  }

  private void request(int number) {
    if (requested > 0) {
      System.err.println(lost);
      Runtime.getRuntime().halt(128 + number);
    }
    requested = number;
  }

  /** The work is over. */
  @Override
  public void close() {
    before.forEach(Signals::unregister);
  }
}
