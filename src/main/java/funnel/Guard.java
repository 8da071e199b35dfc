package funnel;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/** Lets any number of calls into a Funnel that is open, and closing only when none is inside. */
final class Guard {

  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;

  /** Runs {@code call} unless the Funnel is closed. */
  <T> T call(Supplier<T> call) {
    lock.readLock().lock();
    try {
      if (closed) {
        throw new IllegalStateException("this Funnel is closed");
      }
      return call.get();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Runs {@code action} unless the Funnel is closed. */
  void run(Runnable action) {
    call(
        () -> {
          action.run();
          return true;
        });
  }

  /** Waits for calls inside, then closes; {@code release} runs the first time. */
  void close(Runnable release) {
    lock.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        release.run();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
