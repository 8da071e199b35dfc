package funnel.plan;

import funnel.Elements;
import funnel.jit.CallChain;
import funnel.operation.ParallelRows;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Runs calls in threads of their own, one after the other in the order of the requests. Cancelling
 * a call's future, or completing it otherwise, ends the call early.
 */
public final class AsyncCalls {

  /* A call ends, and the next one may begin, before its future is completed: a user's continuation
   * of the future runs in the thread of the call, and may wait for the next call. What waits for
   * all calls waits for their futures too, which are complete a moment later: before what follows
   * from them runs. That moment has no event to wait for, so it is waited for actively. A future has
   * results, which keep the plan of these calls: it is not kept here, so that plans that nobody
   * closes are collected. Until it is complete the thread of its call has it.
   */

  private record Requested(
      CompletableFuture<Boolean> ended, WeakReference<CompletableFuture<?>> future) {
    static Requested of(CompletableFuture<Boolean> ended, CompletableFuture<?> future) {
      return new Requested(ended, new WeakReference<>(future));
    }

    void awaitFuture() {
      while (!isDone()) {
        Thread.yield();
      }
    }

    private boolean isDone() {
      CompletableFuture<?> asked = future.get();
      return asked == null || asked.isDone();
    }
  }

  private volatile Requested last =
      Requested.of(
          CompletableFuture.completedFuture(true), CompletableFuture.completedFuture(true));

  /** Makes a call when those before it have ended, unless its future is complete by then. */
  public synchronized <T> CompletableFuture<T> next(Callable<? extends T> call) {
    CompletableFuture<T> future = new CompletableFuture<>();
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    CallChain chain = CallChain.current().until(future::isDone);
    Requested before = last;
    Runnable made =
        () -> {
          Runnable told;
          try {
            T value = chain.call(() -> wanted(call));
            told = () -> future.complete(value);
          } catch (Throwable thrown) {
            told = () -> future.completeExceptionally(thrown);
          }
          before.awaitFuture();
          ended.complete(true);
          told.run();
        };
    before
        .ended()
        .thenRun(() -> Thread.ofPlatform().daemon().name("funnel-run").start(made))
        .exceptionally(
            noThread -> {
              ended.complete(true);
              future.completeExceptionally(noThread.getCause());
              return null;
            });
    last = Requested.of(ended, future);
    return future;
  }

  /** Waits until all calls that were requested before have ended, and their futures are done. */
  public void await() {
    Requested requested = last;
    requested.ended().join();
    requested.awaitFuture();
  }

  private static <T> T wanted(Callable<? extends T> call) throws Exception {
    CallChain.requireWanted();
    return call.call();
  }

  /**
   * A copy of the arguments of a run in another thread.
   *
   * @throws IllegalArgumentException if another thread may not use the memory
   */
  public static Map<String, Elements> shared(Map<String, Elements> places) {
    places.forEach(
        (name, elements) -> {
          if (!ParallelRows.mayBeShared(elements.segment())) {
            throw new IllegalArgumentException(
                "the memory of %s is confined to one thread, but another thread runs this: take it from Arena.ofShared() or Arena.ofAuto()"
                    .formatted(name));
          }
        });
    return Map.copyOf(places);
  }
}
