package funnel.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jline.utils.Signals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ctrl-C, a terminal that is closed, or a request to terminate, while work goes on: the worker is
 * told, and the program ends when it has left everything as it should be. A second signal ends the
 * program at once.
 */
final class Interruption implements AutoCloseable {

  /* That no run on the device is cut the engine sees to, for every program. Here the work after the
   * run counts too, such as a checkpoint, so the signal is taken before the JVM begins to go down.
   */

  private static final Logger LOG = LoggerFactory.getLogger(Interruption.class);

  /** Signals and their numbers: a program that one has ended returns 128 and its number. */
  private static final Map<String, Integer> SIGNALS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

  private final Map<String, Object> before = new LinkedHashMap<>();
  private final String lost;
  private volatile int requested;

  /**
   * From now until {@link #close}.
   *
   * @param lost what is said at a second signal
   */
  Interruption(String lost) {
    this.lost = lost;
    SIGNALS.forEach(
        (signal, number) -> {
          Object handler = Signals.register(signal, () -> request(number));
          if (handler == null) {
            LOG.warn("signal {} cannot be taken here: it ends the program at once", signal);
          } else {
            before.put(signal, handler);
          }
        });
  }

  /** Whether the worker is to come to an end. */
  boolean isRequested() {
    return requested > 0;
  }

  /** What the program returns once it was asked to come to an end. */
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
