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
 * Distributes rows of a primitive, or any numbered tasks, over the cores: to the caller's thread,
 * and to helper threads of this class as far as they are free. There is one helper for each core
 * but one. All multithreaded work of Funnel on the JVM is distributed here.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="rows"}
 *
 * <p>A call returns or throws when the last of its tasks has ended, never while one still runs. If
 * a task throws, the tasks that have begun run to their end and no more begin; the call throws the
 * exception object of the first such task in order. This does not depend on the threads, since all
 * tasks before it have begun before it. If the call is {@linkplain CallChain#isGivenUp given up},
 * tasks that have begun run to their end too, and a {@link CancellationException} is thrown.
 */
public final class ParallelRows {

  /** The number of elements below which another task does not pay off. */
  private static final int ELEMENTS_PER_TASK = 1 << 15;

  /** Tasks per core, so that a delayed core does not delay the whole call. */
  private static final int TASKS_PER_CORE = 4;

  /** The maximum number of calls whose helpers have not begun; further calls get no helpers. */
  private static final int MOST_WAITING = 1024;

  /**
   * Threads that help callers. They are not those of the common pool, where a waiting thread runs
   * unrelated tasks meanwhile: if a user-defined operator makes a parallel call, a task could then
   * wait for an earlier task that its own thread has begun and not ended.
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

  /** Work on a numbered part of rows, {@code from} to {@code to}, the latter excluded. */
  @FunctionalInterface
  public interface Part {
    /** Does the work. */
    void rows(int part, int from, int to);
  }

  /**
   * The number of cores that work for one caller at a time: the number of threads of the common
   * fork/join pool, whose property can reduce it, plus the caller's; but no more than the machine
   * has, since that pool has a thread even on a single core.
   */
  public static int cores() {
    int threads = ForkJoinPool.getCommonPoolParallelism() + 1;
    return Math.min(threads, Runtime.getRuntime().availableProcessors());
  }

  /**
   * Whether other threads may access the segments; only the owner may access those of a confined
   * arena.
   */
  public static boolean mayBeShared(@Nullable MemorySegment... memory) {
    return Arrays.stream(memory).allMatch(each -> each == null || each.isAccessibleBy(OTHER));
  }

  /**
   * Runs {@code body} over rows 0 to {@code rows}, each of them once: in one task in the caller's
   * thread, or in several tasks at a time. With no rows it does nothing.
   *
   * @param rows the number of rows
   * @param elements the number of elements of all rows, which determines the number of tasks; 0 if
   *     no other thread may run the body, for example over memory that {@linkplain #mayBeShared may
   *     not be shared}: then all rows are one task in the caller's thread
   * @throws IllegalArgumentException if {@code rows} or {@code elements} is negative
   */
  public static void run(int rows, int elements, Body body) {
    if (rows < 0 || elements < 0) {
      throw new IllegalArgumentException(
          "rows=%s, elements=%s: give counts from 0 on".formatted(rows, elements));
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
    parts(rows, tasks, (_, from, to) -> body.rows(from, to));
  }

  /**
   * Runs {@code body} over rows 0 to {@code rows}, cut into {@code parts} parts that differ by one
   * row at most, each of them a task as for {@link #deal(int, IntConsumer)}.
   */
  public static void parts(int rows, int parts, Part body) {
    deal(parts, part -> body.rows(part, first(rows, parts, part), first(rows, parts, part + 1)));
  }

  /** The first row of a part, see {@link #parts}; of part {@code parts} the number of rows. */
  public static int first(int rows, int parts, int part) {
    return (int) ((long) rows * part / parts);
  }

  /**
   * Runs tasks 0 to {@code tasks}, each of them once. Workers take tasks in ascending order, each
   * when its last one is done. So a task may wait for those before it, unless one of them throws.
   *
   * @param tasks the number of tasks
   * @param workers the maximum number of tasks that run at a time; a single worker is the caller's
   *     thread
   * @param worker makes the function that runs the tasks of one worker, in one thread and one after
   *     the other; called once for each worker, with its number
   * @throws IllegalArgumentException if {@code tasks} is negative, or {@code workers} below 1
   */
  public static void deal(int tasks, int workers, IntFunction<IntConsumer> worker) {
    if (tasks < 0 || workers < 1) {
      throw new IllegalArgumentException(
          "tasks=%s, workers=%s: give counts from 0 and from 1 on".formatted(tasks, workers));
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
        LOG.debug("no helper thread: {}", e.getMessage());
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

  /**
   * Runs tasks 0 to {@code tasks} likewise, by as many workers as there are {@link #cores}, none of
   * which has a state.
   */
  public static void deal(int tasks, IntConsumer task) {
    deal(tasks, cores(), _ -> task);
  }

  private record Failure(long task, Throwable thrown) {}

  /** Tasks that workers are running. Exceptions of tasks are kept: the caller throws the first. */
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

    /** Waits for helpers that have begun; the others have nothing left to do. */
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
            && !chain
                .isGivenUp() // checked before a task is taken: others may wait for a task that is
            // taken
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

  /** Throws a task's exception itself, hiding checked exceptions from the compiler. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T asItIs(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
