package funnel.pieces;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** What a thread of its own does while the one that has begun it goes on. */
public final class Background<T> implements AutoCloseable {

  /* A thread for each piece and no pool: a fault in a mapped file may come up anywhere in the
   * thread, also where a pool would hand the result over; a thread that ends is always seen.
   */

  /** The work. */
  public interface Work<T> {
    /** Does it. */
    T run() throws IOException;
  }

  /** A transfer that takes no longer than a thread takes to begin and end. */
  public static final long FEW_BYTES = 1 << 16;

  private final FutureTask<T> task;
  private final Thread thread;

  /** Begins; work on fewer than {@link #FEW_BYTES} is done at once, in the caller's thread. */
  public Background(String name, long bytes, Work<T> work) {
    task = new FutureTask<>(work::run);
    thread = Thread.ofPlatform().daemon().name(name).unstarted(task);
    if (bytes < FEW_BYTES) {
      task.run();
    } else {
      thread.start();
    }
  }

  /**
   * Waits for the end of the work.
   *
   * @return its result
   * @throws IOException what the work has thrown, itself; so are errors and unchecked exceptions
   * @throws InterruptedIOException if the waiting thread is interrupted, and stays so
   */
  public T await() throws IOException {
    try {
      if (Thread.interrupted()) { // which the end of a thread would hide
        throw new InterruptedException();
      }
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while it waited for " + thread.getName());
    }
    if (task.state() == Future.State.SUCCESS) {
      return task.resultNow();
    }
    if (task.state() != Future.State.FAILED) {
      throw new InternalError(thread.getName() + " has ended without a result");
    }
    switch (task.exceptionNow()) {
      case Error e -> throw e;
      case RuntimeException e -> throw e;
      case Throwable e -> throw (IOException) e;
    }
  }

  /** Waits until the thread has ended, whatever came of the work. */
  @Override
  public void close() {
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
