package funnel.bench;

import funnel.Funnel;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Several one-shot reductions of a Java array, timed together: in one thread, one after the other,
 * or distributed to several threads.
 */
final class ConcurrentCallsSubject extends HeapSubject<Workload, Operator, PrimitiveCase> {

  private final Funnel funnel;
  private final int calls;
  private final int threads;

  /**
   * Makes a subject.
   *
   * @param engine the engine's name in reports
   * @param calls a multiple of {@code threads}
   */
  ConcurrentCallsSubject(String engine, Funnel funnel, int calls, int threads) {
    super("funnel %s %s calls by %s threads".formatted(engine, calls, threads), 1);
    this.funnel = funnel;
    this.calls = calls;
    this.threads = threads;
  }

  @Override
  PrimitiveCase what(Workload workload, Operator operator) {
    return PrimitiveCase.of(Work.REDUCE, workload, operator);
  }

  @Override
  Loop loop(Workload workload, Operator operator) {
    var elements = CallSubject.Memory.ARRAY.like(workload.array(), workload);
    Reduction reduction = Reduction.of(operator);
    Callable<Number> share =
        () -> {
          Number last = 0;
          for (int k = 0; k < calls / threads; k++) {
            last = funnel.reduce(elements, reduction);
          }
          return last;
        };
    Number[] result = new Number[1];
    return new Loop(
        () -> {}, () -> result[0] = all(share), () -> workload.outcome(operator, result[0]));
  }

  /** The result of the threads, which must agree. */
  private Number all(Callable<Number> share) {
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Number> found = new ArrayList<>();
      for (Future<Number> each : pool.invokeAll(Collections.nCopies(threads, share))) {
        found.add(each.get());
      }
      if (found.stream().distinct().count() > 1) {
        throw new IllegalStateException("threads found different results: " + found);
      }
      return found.getFirst();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
