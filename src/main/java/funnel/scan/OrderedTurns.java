package funnel.scan;

import funnel.operation.ParallelRows;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Turns of a scan on the JVM, each of which begins with what those before it come to. */
final class OrderedTurns {

  /* A worker takes the next turn, sums it, waits until the turns before it have been summed, hands the
   * turn after it its start, and scans its own out of its own cache: memory is read once and written
   * once, and nobody waits for longer than a neighbour needs for a sum. A turn's predecessor has
   * always been taken before, by a worker that does not wait for a later one.
   */

  /** Elements below which another worker does not pay. */
  private static final int ELEMENTS_PER_WORKER = 1 << 15;

  /** Looks at a predecessor before a worker lets others have its core. */
  private static final int MOST_SPINS = 1000;

  private OrderedTurns() {}

  /**
   * What a worker does with its turns.
   *
   * @param sum sums a turn
   * @param start finds what it begins with; called in the order of the turns, one at a time
   * @param scan scans it
   */
  record Steps(IntConsumer sum, IntConsumer start, IntConsumer scan) {}

  /** Workers that pay over {@code length} elements. */
  static int workers(int length, int turns, boolean mayBeShared) {
    int most = mayBeShared ? Math.min(ParallelRows.cores(), turns) : 1;
    return Math.clamp(length / ELEMENTS_PER_WORKER, 1, most);
  }

  /** Runs all turns; {@code steps} is called once for each worker. */
  static void run(int turns, int workers, Supplier<Steps> steps) {
    AtomicInteger started = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger(turns);
    ParallelRows.deal(
        turns,
        workers,
        _ -> {
          Steps mine = steps.get();
          return turn -> {
            boolean done = false;
            try {
              mine.sum.accept(turn);
              if (!isTurn(started, failed, turn)) {
                return;
              }
              mine.start.accept(turn);
              started.setRelease(turn + 1);
              done = true;
            } finally {
              if (!done) { // an operator threw: later turns are not to wait for this one
                failed.accumulateAndGet(turn, Math::min);
              }
            }
            mine.scan.accept(turn);
          };
        });
  }

  /** Waits until all turns before this one have been started; false if that will not be. */
  private static boolean isTurn(AtomicInteger started, AtomicInteger failed, int turn) {
    for (int spins = 0; started.getAcquire() < turn; spins++) {
      if (failed.getAcquire() < turn) {
        return false;
      }
      if (spins < MOST_SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
    return true;
  }
}
