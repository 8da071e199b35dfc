package funnel.emulator;

import org.jspecify.annotations.Nullable;

/** A thread of the JVM that carries the emulated threads of one group at a time. */
final class Carrier extends Thread {

  /** The emulated thread that runs now. */
  @Nullable KernelThread current;

  Carrier(Runnable body) {
    super(null, body, "funnel-emulator");
    setDaemon(true);
  }
}
