package funnel.engine.tornado;

import funnel.engine.device.DeviceContext;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Funnel uses of TornadoVM beyond its API, where the version that is there lacks it. One
 * device works without.
 */
final class Internals {

  /* Each part that reaches into TornadoVM checks at the start whether all that it needs is there. If
   * not, the part is not used, and this says so once in the log and in the engine's details.
   */

  private static final Logger LOG = LoggerFactory.getLogger(Internals.class);
  private static final Map<String, String> LACKING = new TreeMap<>();

  private Internals() {}

  /**
   * Whether a check does not throw; if it does, {@code lost} says what does not work for that
   * reason.
   */
  static boolean check(String lost, Runnable check) {
    try {
      check.run();
      return true;
    } catch (RuntimeException | LinkageError e) {
      lack(lost, DeviceContext.reason(e));
      return false;
    }
  }

  /** Says what does not work, and why. */
  static synchronized void lack(String lost, String reason) {
    if (LACKING.put(lost, reason) == null) {
      LOG.warn("{}: {}", lost, reason);
    }
  }

  /** What does not work, with the reasons; empty if all does. */
  static synchronized String lacking() {
    StringBuilder text = new StringBuilder();
    LACKING.forEach(
        (lost, reason) -> text.append(text.isEmpty() ? "" : "; ").append(lost + ": " + reason));
    return text.toString();
  }
}
