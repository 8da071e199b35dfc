package funnel.operation;

import funnel.jit.CallChain;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deals rows of a primitive, or any numbered tasks, over the cores: to the caller and to threads of
 * this class's that help it where they are free, of which there is one for each core but one. All
 * that Funnel computes in several threads on the JVM is dealt here.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="rows"}
 *
 * <p>A call returns or throws when the last of its tasks has ended, never while one still runs. If
 * tasks throw, those that have begun go on to their end and no more begin; thrown is the exception
 * of the first of them in order, the very object, which does not depend on the threads: all tasks
 * before it have begun before it. So it is where the call is {@linkplain CallChain#isGivenUp given
 * up}: tasks that have begun end, and a {@link CancellationException} is thrown.
 */
public final class ParallelRows {

  /** Elements below which a task of its own does not pay. */
  private static final int ELEMENTS_PER_TASK = 1 << 15;

  /** Tasks a core, so that a core that is held up does not hold up all. */
  private static final int TASKS_PER_CORE = 4;

  /** Calls whose helpers have not begun, beyond which there are no helpers for more. */
  private static final int MOST_WAITING = 1024;

  /**
   * Threads that help callers. They are not the common pool's: a thread that waits for others there
   * does tasks of anybody's meanwhile. A task that waits for one before it would then wait for what
   * its own thread has begun and not ended, where an operator of the user's makes a call in
   * parallel.
   */
  private static final ThreadPoolExecutor HELPERS = helpers();

  private static final Logger LOG = LoggerFactory.getLogger(ParallelRows.class);
  private static final Thread OTHER = Thread.ofPlatform().unstarted(() -> {});

  private ParallelRows() {}

  private static ThreadPoolExecutor helpers() {
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    ThreadPoolExecutor helpers =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false) // nor the caller's class loader
                .name("funnel-rows-", 1)
                .factory(),
            new ThreadPoolExecutor.DiscardPolicy());
    helpers.allowCoreThreadTimeOut(true);
    return helpers;
  }

  /** Work on rows {@code from} to {@code to}, the latter excluded. */
  @FunctionalInterface
  public interface Body {
    /** Does the work. */
    void rows(int from, int to);
  }

  /**
   * Cores that work at a time for one caller: as many as the common fork/join pool has threads, by
   * whose property they can be made fewer, and the caller's, but no more than there are, since that
   * pool has a thread on a single core nevertheless.
   */
  public static int cores() {
    int threads = ForkJoinPool.getCommonPoolParallelism() + 1;
    return Math.min(threads, Runtime.getRuntime().availableProcessors());
  }

  /** Whether other threads may read the segments: those of a confined arena, only their owner. */
  public static boolean mayBeShared(@Nullable MemorySegment... memory) {
    return Arrays.stream(memory).allMatch(each -> each == null || each.isAccessibleBy(OTHER));
  }

  /**
   * Runs {@code body} over rows 0 to {@code rows}, each of them once: in one task of the caller's
   * thread, or in several at a time. No rows run nothing.
   *
   * @param rows how many rows there are
   * @param elements how many elements all rows have together, by which the number of tasks is
   *     chosen; 0 where no other thread may run the body, as over memory that {@linkplain
   *     #mayBeShared may not be shared}: then all rows are one task of the caller's thread
   * @throws IllegalArgumentException if {@code rows} or {@code elements} is negative
   */
  public static void run(int rows, int elements, Body body) {
    if (rows < 0 || elements < 0) {
      throw new IllegalArgumentException(
          "rows=%d, elements=%d: give counts from 0 on".formatted(rows, elements));
    }
    if (rows == 0) {
      return;
    }
    int wanted = Math.min(rows, elements / ELEMENTS_PER_TASK);
    int tasks = wanted <= 1 ? 1 : Math.min(wanted, cores() * TASKS_PER_CORE);
    if (tasks == 1) {
      body.rows(0, rows);
      return;
    }
    deal(
        tasks,
        task ->
            body.rows(
                (int) ((long) rows * task / tasks), (int) ((long) rows * (task + 1) / tasks)));
  }

  /**
   * Runs tasks 0 to {@code tasks}, each of them once. Workers take them in ascending order, one
   * when the last one is done. So a task may wait for those before it, unless one of them throws.
   *
   * @param tasks how many tasks there are
   * @param workers how many are run at a time at most; a single one is the caller's thread
   * @param worker what does the tasks of one worker, in one thread and one after the other; called
   *     once for each worker that there is, with its number
   * @throws IllegalArgumentException if {@code tasks} is negative, or {@code workers} below 1
   */
  public static void deal(int tasks, int workers, IntFunction<IntConsumer> worker) {
    if (tasks < 0 || workers < 1) {
      throw new IllegalArgumentException(
          "tasks=%d, workers=%d: give counts from 0 and from 1 on".formatted(tasks, workers));
    }
    Dealt dealt = new Dealt(tasks, worker);
    if (Math.min(tasks, workers) <= 1) {
      dealt.work(0);
    } else {
      CallChain chain = CallChain.current();
      try {
        IntStream.range(1, Math.min(tasks, workers))
            .forEach(number -> HELPERS.execute(() -> chain.run(() -> dealt.help(number))));
      } catch (OutOfMemoryError e) {
        LOG.debug("no thread to help: {}", e.getMessage());
      }
      dealt.work(0);
      dealt.awaitHelpers();
    }
    Failure failure = dealt.failure.get();
    if (failure != null) {
      throw ParallelRows.<RuntimeException>asItIs(failure.thrown);
    }
    if (dealt.next.get() < tasks) {
      CallChain.requireWanted();
    }
  }

  /** Runs tasks likewise by as many workers as there are {@link #cores}, which keep nothing. */
  public static void deal(int tasks, IntConsumer task) {
    deal(tasks, cores(), _ -> task);
  }

  private record Failure(long task, Throwable thrown) {}

  /** Tasks on which workers are at work. What tasks throw is kept: the caller throws the first. */
  private static final class Dealt {
    private final int tasks;
    private final IntFunction<IntConsumer> worker;
    private final AtomicLong next = new AtomicLong();
    private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
    private int helping;
    private boolean isOver;

    Dealt(int tasks, IntFunction<IntConsumer> worker) {
      this.tasks = tasks;
      this.worker = worker;
    }

    void help(int number) {
      synchronized (this) {
        if (isOver) {
          return;
        }
        helping++;
      }
      work(number);
      synchronized (this) {
        helping--;
        notifyAll();
      }
    }

    /** Waits for those that have begun; the others have nothing to do any more. */
    synchronized void awaitHelpers() {
      boolean interrupted = false;
      isOver = true;
      while (helping > 0) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    void work(int number) {
      long task = next.get();
      CallChain chain = CallChain.current();
      try {
        IntConsumer body = task < tasks ? worker.apply(number) : _ -> {};
        while (failure.get() == null
            && !chain.isGivenUp() // before a task is taken: those that are, others may wait for
            && (task = next.getAndIncrement()) < tasks) {
          body.accept((int) task);
        }
      } catch (Throwable t) {
        Failure mine = new Failure(task, t);
        failure.accumulateAndGet(
            mine, (first, later) -> first == null || later.task < first.task ? later : first);
      }
    }
  }

  /** Throws what a task threw; the compiler takes a checked exception for an unchecked one. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T asItIs(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
