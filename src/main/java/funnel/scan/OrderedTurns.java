package funnel.scan;

import funnel.operation.ParallelRows;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Turns of a scan on the JVM, each of which starts from the result of those before it. */
final class OrderedTurns {

  /* A worker takes the next turn, sums it, waits until the turns before it have been summed, passes
   * the next turn its start, and scans its own turn from its own cache: memory is read once and
   * written once, and no worker waits longer than a neighbour needs for a sum. A turn's predecessor
   * has always been taken earlier, by a worker that does not wait for a later turn.
   */

  /** The number of elements below which another worker does not pay off. */
  private static final int ELEMENTS_PER_WORKER = 1 << 15;

  /** How often a worker checks its predecessor before it yields its core. */
  private static final int MOST_SPINS = 1000;

  private OrderedTurns() {}

  /**
   * What a worker does with its turns.
   *
   * @param start finds its start; called in the order of the turns, one at a time
   */
  record Steps(IntConsumer sum, IntConsumer start, IntConsumer scan) {}

  /** The number of workers that pay off for {@code length} elements. */
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
              if (!done) { // an operator threw: later turns must not wait for this one
                failed.accumulateAndGet(turn, Math::min);
              }
            }
            mine.scan.accept(turn);
          };
        });
  }

  /** Waits until all turns before this one have been started; false if one has failed. */
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
