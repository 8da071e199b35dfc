package funnel.pieces;

import funnel.file.Background;
import funnel.pieces.Pieces.Piece;
import funnel.pieces.Pieces.Taker;
import funnel.pieces.Pieces.Worker;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pieces of one loop, spread over several workers in threads of their own. */
final class Spread<T> implements Pieces.Order {

  /* Results wait here until the caller takes them, in the order of pieces. No worker begins a piece
   * that is more than a window after the one to be taken next, so that a slow worker does not make
   * more results wait in memory than there are pieces. The piece to be taken next is always in the
   * window, and work in turn waits only for earlier pieces: so some worker can always continue.
   *
   * Waiting threads are never interrupted, but told to stop: an interrupted device could be in any
   * state.
   */

  private record Outcome<T>(
      @Nullable Piece piece, @Nullable T result, @Nullable Throwable failure) {}

  private final Pieces pieces;
  private final Pieces.Deal deal;
  private final long window;
  private final Map<Long, Outcome<T>> outcomes = new HashMap<>();
  private int working;
  private long taken;
  private long turned;
  private boolean isStopped;

  Spread(Pieces pieces, int workers) {
    this.pieces = pieces;
    this.deal = pieces.new Deal(this, workers);
    this.window = (long) Pieces.TURNS * workers * pieces.most();
    this.working = workers;
  }

  /** Works until all pieces are taken, or something fails; all threads have then stopped. */
  void run(List<? extends Worker<T>> workers, Taker<T> taker, Arena arena) throws IOException {
    List<Background<Boolean>> threads = new ArrayList<>();
    try {
      for (Worker<T> worker : workers) {
        threads.add(
            new Background<>(
                "working on " + pieces.source(), Long.MAX_VALUE, () -> work(worker, arena)));
      }
      while (taken < pieces.source().length() && taker.takesMore()) {
        take(taker);
      }
    } finally {
      deal.end();
      stop();
      threads.forEach(Background::close);
    }
  }

  private boolean work(Worker<T> worker, Arena arena) {
    long[] at = {0};
    try {
      deal.forEach(
          worker,
          arena,
          piece -> {
            at[0] = piece.from();
            await(() -> piece.from() - taken < window);
            pieces.guarded(
                now -> put(now.from(), new Outcome<>(now, worker.run(now), null)), piece);
          },
          from -> at[0] = from);
    } catch (Throwable e) {
      put(at[0], new Outcome<>(null, null, e));
    } finally {
      ends();
    }
    return true;
  }

  private void take(Taker<T> taker) throws IOException {
    if (Thread.interrupted()) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted between pieces of " + pieces.source());
    }
    Outcome<T> next = next();
    if (next == null) {
      throw new InternalError("nobody has done what begins at " + taken);
    }
    Piece piece = next.piece();
    T result = next.result();
    if (piece == null || result == null) {
      switch (next.failure()) {
        case IOException e -> throw e;
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case null, default -> throw new InternalError("no result", next.failure());
      }
    }
    pieces.guarded(now -> taker.take(now, result), piece);
    pieces.done().accept(piece.length());
    isTaken(piece.to());
  }

  private interface Condition {
    boolean holds();
  }

  /** Waits, and returns whether the condition was met. */
  private synchronized void await(Condition condition) throws InterruptedIOException {
    try {
      while (!condition.holds()) {
        if (isStopped) {
          throw new InterruptedIOException("given up");
        }
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for other pieces");
    }
  }

  private synchronized @Nullable Outcome<T> next() throws InterruptedIOException {
    await(() -> outcomes.containsKey(taken) || working == 0);
    return outcomes.remove(taken);
  }

  @Override
  public <R> R inTurn(Piece piece, Background.Work<R> work) throws IOException {
    await(() -> turned >= piece.from());
    R result = work.run();
    turns(piece.to());
    return result;
  }

  private synchronized void turns(long to) {
    turned = Math.max(turned, to);
    notifyAll();
  }

  private synchronized void put(long from, Outcome<T> outcome) {
    outcomes.putIfAbsent(from, outcome);
    notifyAll();
  }

  private synchronized void isTaken(long to) {
    taken = to;
    notifyAll();
  }

  private synchronized void ends() {
    working--;
    notifyAll();
  }

  private synchronized void stop() {
    isStopped = true;
    notifyAll();
  }
}
