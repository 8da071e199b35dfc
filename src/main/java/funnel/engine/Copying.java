package funnel.engine;

import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A copy of bytes, by several threads if they may access the memory. */
public final class Copying {

  /* Threads take one part after the other, so that one that comes late delays nothing; who waits
   * for the end takes parts too, and then spins, since the last parts end before a thread that
   * sleeps wakes up. Helpers that come when all parts are taken do nothing: nobody waits for them.
   *
   * The JVM's copy of many bytes writes past the processor's cache: it does not read what it
   * overwrites, and is up to three times as fast if what it reads is in the cache. The C library's
   * memcpy does so only from a size that depends on the cache of the whole machine, and was slower.
   */

  private static final int MOST_THREADS = 16;

  /** Threads for all copies. */
  private static final int MOST_ALL = 64;

  /** The number of bytes from which another thread pays off. */
  private static final long LEAST_PART = 1L << 18;

  /** The number of bytes from which the JVM copies past the cache: 2.5 MiB with 64-byte vectors. */
  private static final long PAST_CACHE = 5L << 19;

  /** About a tenth of a millisecond. */
  private static final int SPINS = 2000;

  private static final ForkJoinPool COPIERS =
      new ForkJoinPool(Math.min(ParallelRows.cores(), MOST_ALL), Copying::copier, null, false);

  private final MemorySegment from;
  private final MemorySegment to;
  private final long part;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong copied = new AtomicLong();
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();

  private Copying(MemorySegment from, MemorySegment to, long part) {
    this.from = from;
    this.to = to;
    this.part = part;
    if (from.byteSize() >= 2 * LEAST_PART && ParallelRows.mayBeShared(from, to)) {
      COPIERS.execute(this::copyByAll);
    } else {
      copyParts();
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

  /** Starts to copy bytes that are read again soon. */
  public static Copying begin(MemorySegment from, MemorySegment to) {
    return new Copying(from, to, LEAST_PART);
  }

  /** Starts to copy bytes; where they are many, past the processor's cache. */
  public static Copying beginPastCache(MemorySegment from, MemorySegment to) {
    long parts = from.byteSize() / PAST_CACHE;
    return new Copying(from, to, parts < 3 ? LEAST_PART : part(from.byteSize(), parts));
  }

  /** Copies bytes, by several threads if there are many. */
  public static void copy(MemorySegment from, MemorySegment to) {
    long bytes = from.byteSize();
    if (bytes < 2 * LEAST_PART) {
      to.copyFrom(from);
      return;
    }
    try {
      new Copying(from, to, part(bytes, Math.clamp(bytes / LEAST_PART, 1, mostThreads()))).join();
    } catch (MemoryFailure e) {
      throw e.rethrown();
    }
  }

  private static long part(long bytes, long parts) {
    return Math.ceilDiv(Math.ceilDiv(bytes, parts), Long.BYTES) * Long.BYTES;
  }

  private static int mostThreads() {
    return Math.min(COPIERS.getParallelism(), MOST_THREADS);
  }

  private void copyByAll() {
    long threads = Math.min(mostThreads(), Math.ceilDiv(from.byteSize(), part));
    for (int helper = 1; helper < threads; helper++) {
      ForkJoinTask.adapt(this::copyParts).fork();
    }
    copyParts();
  }

  private void copyParts() {
    long bytes = from.byteSize();
    for (long at = next.getAndAdd(part); at < bytes; at = next.getAndAdd(part)) {
      long size = Math.min(part, bytes - at);
      try {
        MemorySegment.copy(from, at, to, at, size);
      } catch (RuntimeException | Error e) {
        thrown.compareAndSet(null, e); // while other parts are still being copied
      }
      if (copied.addAndGet(size) == bytes) {
        end.complete(null);
      }
    }
  }

  /** Waits until no thread reads or writes the memory. */
  public void await() {
    if (from.byteSize() > 0) {
      for (int i = 0; i < SPINS && !end.isDone(); i++) {
        Thread.onSpinWait();
      }
      end.join();
    }
  }

  /**
   * Waits until all is copied.
   *
   * @throws MemoryFailure with the memory's exception
   */
  public void join() {
    copyParts();
    await();
    Throwable failure = thrown.get();
    if (failure != null) {
      throw new MemoryFailure(failure);
    }
  }
}
