package funnel.plan;

import funnel.jit.CallChain;
import funnel.operation.FunnelMemoryException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Lets any number of calls into an open Funnel, and lets it close only when no call is inside. A
 * function that an engine runs may not call back: it would change the running plan, or wait for its
 * own end.
 */
public final class Guard {

  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile BooleanSupplier spare = () -> false;
  private boolean closing;
  private boolean closed;

  /** Runs {@code call} unless the Funnel is closed. */
  public <T> T call(Supplier<T> call) {
    requireOutside();
    lock.readLock().lock();
    try {
      requireOpen(!closed);
      return call.get();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Makes a request, whose runs come later, unless the Funnel is closed or waits for the last. */
  public <T> T request(Supplier<T> request) {
    return call(
        () -> {
          requireOpen(!closing);
          return request.get();
        });
  }

  /**
   * Sets what frees memory of the device that is only kept for what may come.
   *
   * @param frees returns whether it has freed any
   */
  public void spare(BooleanSupplier frees) {
    spare = frees;
  }

  /** Makes a call once more if it lacks memory, and some could be freed. */
  public <T> T withMemory(Supplier<T> call) {
    try {
      return call.get();
    } catch (FunnelMemoryException e) {
      if (!spare.getAsBoolean()) {
        throw e;
      }
      return call.get();
    }
  }

  private static void requireOpen(boolean isOpen) {
    if (!isOpen) {
      throw new IllegalStateException(
          "this Funnel is closed: make the call before it is closed, or open another one");
    }
  }

  /** Runs code that may call user-defined functions. */
  public void engine(Runnable run) {
    CallChain.current().with(this).run(run);
  }

  /** Throws if a user-defined function that the Funnel is running makes the call. */
  public void requireOutside() {
    if (CallChain.current().contains(this)) {
      throw new IllegalStateException(
          "an operator or transform called back into the Funnel that is running it, or into a plan"
              + " of it: compute what it needs before or after the run, or use another Funnel");
    }
  }

  /**
   * Makes further requests throw, waits for earlier ones and for calls inside, then closes.
   *
   * @param requested waits for the runs that were requested
   * @param release runs the first time
   */
  public void close(Runnable requested, Runnable release) {
    requireOutside();
    exclusively(() -> closing = true);
    requested.run(); // outside the lock, which these runs take
    exclusively(
        () -> {
          if (!closed) {
            closed = true;
            release.run();
          }
        });
  }

  private void exclusively(Runnable action) {
    lock.writeLock().lock();
    try {
      action.run();
    } finally {
      lock.writeLock().unlock();
    }
  }
}
