package funnel.engine;

import java.util.concurrent.CompletableFuture;

/**
 * The compilation of a program's kernels in the background.
 *
 * @param kernels how many were not known when it began; 0 if there was nothing to do
 * @param done completes when all are known, with the failure if one does not compile, cancelled if
 *     the compilation was given up
 */
public record Compilation(int kernels, CompletableFuture<Void> done) {

  /** There was nothing to do. */
  public static final Compilation NONE =
      new Compilation(0, CompletableFuture.completedFuture(null));

  /** A compilation that did not begin. */
  public static Compilation failed(Throwable reason) {
    return new Compilation(0, CompletableFuture.failedFuture(reason));
  }

  /** Whether it has ended, well or not. */
  public boolean isDone() {
    return done.isDone();
  }

  /** Whether all kernels are known: a run of the program compiles none. */
  public boolean areKnown() {
    return done.isDone() && !done.isCompletedExceptionally();
  }

  /** Gives up the kernels whose compilation has not begun; does not wait. */
  public void cancel() {
    done.cancel(false);
  }
}
