package funnel.file;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** Work in a thread of its own, while the thread that started it continues. */
public final class Background<T> implements AutoCloseable {

  /* A new thread for each piece instead of a pool: a fault in a mapped file may occur anywhere in
   * the thread, even where a pool would pass on the result; the end of a thread is always noticed.
   */

  /** Work that returns a result. */
  public interface Work<T> {
    /** Does the work. */
    T run() throws IOException;
  }

  /** The size of a transfer that takes no longer than starting and ending a thread. */
  public static final long FEW_BYTES = 1 << 16;

  private final FutureTask<T> task;
  private final Thread thread;

  /**
   * Starts the work; work on fewer than {@link #FEW_BYTES} is done immediately, in the caller's
   * thread.
   */
  public Background(String name, long bytes, Work<T> work) {
    task = new FutureTask<>(work::run);
    thread = Thread.ofPlatform().daemon().name(name).unstarted(task);
    if (bytes < FEW_BYTES) {
      task.run();
    } else {
      thread.start();
    }
  }

  /** Whether the work has ended. */
  public boolean isDone() {
    return task.isDone();
  }

  /**
   * Waits for the end of the work.
   *
   * @return its result
   * @throws IOException the work's own exception; errors and unchecked exceptions are thrown
   *     unchanged too
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
      throw new InterruptedIOException("interrupted while waiting for " + thread.getName());
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

  /** Waits until the thread has ended, whether the work succeeded or not. */
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
