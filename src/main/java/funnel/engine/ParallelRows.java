package funnel.engine;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

/**
 * Deals rows of a primitive over the cores of the common fork/join pool.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="rows"}
 */
public final class ParallelRows {

  /** Elements below which a task of its own does not pay. */
  private static final int ELEMENTS_PER_TASK = 1 << 15;

  /** Tasks a core, so that a core that is held up does not hold up all. */
  private static final int TASKS_PER_CORE = 4;

  private static final Thread OTHER = Thread.ofPlatform().unstarted(() -> {});

  private ParallelRows() {}

  /** Work on rows {@code from} to {@code to}, the latter excluded. */
  @FunctionalInterface
  public interface Body {
    /** Does the work. */
    void rows(int from, int to);
  }

  /**
   * Cores that work at a time: those of the common pool's threads and the caller's, but no more
   * than there are, since on a single core the pool has a thread beside the caller nevertheless.
   */
  public static int cores() {
    int threads = ForkJoinPool.getCommonPoolParallelism() + 1;
    return Math.min(threads, Runtime.getRuntime().availableProcessors());
  }

  /** Whether other threads may read the segments: those of a confined arena, only their owner. */
  public static boolean mayBeShared(MemorySegment first, MemorySegment second) {
    return first.isAccessibleBy(OTHER) && second.isAccessibleBy(OTHER);
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
    int most = cores() * TASKS_PER_CORE;
    int tasks = Math.clamp(elements / ELEMENTS_PER_TASK, 1, Math.min(rows, most));
    if (tasks == 1) {
      body.rows(0, rows);
      return;
    }
    IntStream.range(0, tasks)
        .parallel()
        .forEach(
            task ->
                body.rows(
                    (int) ((long) rows * task / tasks), (int) ((long) rows * (task + 1) / tasks)));
  }
}
