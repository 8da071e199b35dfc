package funnel.plan;

import java.lang.ref.Cleaner;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a plan, a program or a kept array of a Funnel holds until it is closed: arrays and kernels.
 * If it is never closed, the garbage collector frees them, with a warning.
 */
public final class Held implements Runnable {

  /* Nothing here refers to the owner, which could not be collected otherwise. The owner works under
   * the lock alone: the cleaner's thread waits for it, even if the owner cannot be reached any more
   * while its last run is in progress.
   */

  private static final Logger LOG = LoggerFactory.getLogger("funnel.Funnel");
  private static final Cleaner CLEANER = Cleaner.create();

  private final String what;
  private final Runnable frees;
  private final @Nullable Set<Held> open;
  private final AsyncCalls async = new AsyncCalls();
  private final Lock lock = new ReentrantLock();
  private volatile boolean closed;

  /**
   * Holds something.
   *
   * @param what its owner, for messages
   * @param frees frees it
   * @param open what its Funnel closes, of which this is one until it is closed; null for plans
   *     that their user does not know of
   */
  public Held(String what, Runnable frees, @Nullable Set<Held> open) {
    this.what = what;
    this.frees = frees;
    this.open = open;
    if (open != null) {
      open.add(this);
    }
  }

  /** Frees all when the owner is collected. */
  public Cleaner.Cleanable by(Object owner) {
    return whenForgotten(owner, this);
  }

  /** Acts when the owner is collected; the action must not refer to it. */
  public static Cleaner.Cleanable whenForgotten(Object owner, Runnable action) {
    return CLEANER.register(
        owner,
        () -> {
          try {
            action.run();
          } catch (RuntimeException | Error e) { // the cleaner would be silent
            LOG.warn("not all was freed of what was never closed", e);
          }
        });
  }

  /** The runs that are requested. */
  public AsyncCalls async() {
    return async;
  }

  public boolean isClosed() {
    return closed;
  }

  /** Acts alone, unless this is closed. */
  public <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException(what + " is closed");
      }
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a call in progress, and frees all; returns false if that was done before. */
  public boolean close() {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      closed = true;
      if (open != null) {
        open.remove(this);
      }
      frees.run();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Closes what its owner has not closed. */
  @Override
  public void run() {
    if (close() && open != null) {
      LOG.warn("{} was never closed, and is freed only now: close it, as try (...) does", what);
    }
  }
}
