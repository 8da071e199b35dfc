package funnel.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C while work goes on: the worker is told, and the JVM waits until it has left everything as
 * it should be.
 */
final class Interruption implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread hook = new Thread(this::request, "funnel-interruption");
  private volatile boolean requested;

  /** From now until {@link #close}. */
  Interruption() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Whether the worker is to come to an end. */
  boolean isRequested() {
    return requested;
  }

  /** Asks the worker to come to an end and waits for it. */
  private void request() {
    requested = true;
    try {
      if (!over.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("funnel: not waiting any longer after %d s".formatted(PATIENCE_SECONDS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The work is over. */
  @Override
  public void close() {
    over.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      /* the JVM is going down, and waits no longer */
    }
  }
}
