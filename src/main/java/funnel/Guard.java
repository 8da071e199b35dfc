package funnel;

import funnel.jit.CallChain;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * Lets any number of calls into an open Funnel, and lets it close only when no call is inside. A
 * function that an engine runs may not call back: it would change the running plan, or wait for its
 * own end.
 */
final class Guard {

  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;

  /** Runs {@code call} unless the Funnel is closed. */
  <T> T call(Supplier<T> call) {
    requireOutside();
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

  /** Runs code that may call user-defined functions. */
  void engine(Runnable run) {
    CallChain.current().with(this).run(run);
  }

  /** Refuses a call by a user-defined function that the Funnel is running. */
  void requireOutside() {
    if (CallChain.current().contains(this)) {
      throw new IllegalStateException(
          "an operator or transform called back into the Funnel that is running it, or into a plan"
              + " of it: compute what it needs before or after the run, or use another Funnel");
    }
  }

  /** Waits for calls inside, then closes; {@code release} runs the first time. */
  void close(Runnable release) {
    requireOutside();
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
