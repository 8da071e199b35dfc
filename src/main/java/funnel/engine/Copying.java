package funnel.engine;

import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A copy of bytes, by several threads if they may access the memory. */
public final class Copying {

  private static final int MOST_THREADS = 16;

  /** Threads for all copies. */
  private static final int MOST_ALL = 64;

  /** The number of bytes from which another thread pays off. */
  private static final long LEAST_PART = 1L << 18;

  private static final ForkJoinPool COPIERS =
      new ForkJoinPool(Math.min(ParallelRows.cores(), MOST_ALL), Copying::copier, null, false);

  private final @Nullable ForkJoinTask<?> task;
  private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();

  private Copying(MemorySegment from, MemorySegment to) {
    if (ParallelRows.mayBeShared(from, to)) {
      task = COPIERS.submit(() -> copyAll(from, to));
    } else {
      task = null;
      copy(from, to, 0, from.byteSize());
    }
  }

  private static ForkJoinWorkerThread copier(ForkJoinPool pool) {
    ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
    thread.setName("funnel-copier-" + thread.getPoolIndex());
    return thread;
  }

  /**
   * The caller's memory failed while elements were copied: a file was truncated, or an arena
   * closed.
   */
  public static final class MemoryFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private MemoryFailure(Throwable cause) {
      super(cause);
    }

    /** The memory's own exception, to be thrown as it is. */
    public RuntimeException rethrown() {
      if (getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) Objects.requireNonNull(getCause());
    }
  }

  /** Starts to copy bytes. */
  public static Copying begin(MemorySegment from, MemorySegment to) {
    return new Copying(from, to);
  }

  /** Copies bytes, by several threads if there are many. */
  public static void copy(MemorySegment from, MemorySegment to) {
    if (from.byteSize() < 2 * LEAST_PART) {
      to.copyFrom(from);
      return;
    }
    try {
      begin(from, to).join();
    } catch (MemoryFailure e) {
      throw e.rethrown();
    }
  }

  private void copyAll(MemorySegment from, MemorySegment to) {
    long bytes = from.byteSize();
    int most = Math.min(COPIERS.getParallelism(), MOST_THREADS);
    long parts = Math.clamp(bytes / LEAST_PART, 1, most);
    long part = Math.ceilDiv(Math.ceilDiv(bytes, parts), Long.BYTES) * Long.BYTES;
    List<ForkJoinTask<?>> tasks = new ArrayList<>();
    for (long at = 0; at < bytes; at += part) {
      long first = at;
      long size = Math.min(part, bytes - first);
      tasks.add(ForkJoinTask.adapt(() -> copy(from, to, first, size)).fork());
    }
    tasks.forEach(ForkJoinTask::quietlyJoin);
  }

  /* Exceptions are kept: fork/join would throw a copy, while other parts are still running. */
  private void copy(MemorySegment from, MemorySegment to, long first, long size) {
    try {
      MemorySegment.copy(from, first, to, first, size);
    } catch (RuntimeException | Error e) {
      thrown.compareAndSet(null, e);
    }
  }

  /** Waits until no thread reads or writes the memory. */
  public void await() {
    if (task != null) {
      task.quietlyJoin();
    }
  }

  /**
   * Waits until all is copied.
   *
   * @throws MemoryFailure with the memory's exception
   */
  public void join() {
    await();
    Throwable failure = thrown.get();
    if (failure != null) {
      throw new MemoryFailure(failure);
    }
  }
}
