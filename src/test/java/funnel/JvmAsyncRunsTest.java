package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operation.Target;
import funnel.operator.Operator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JvmAsyncRunsTest extends AsyncRunsContract {

  private static final AtomicInteger CALLS = new AtomicInteger();
  private static final CompletableFuture<CompletableFuture<?>> RUNNING = new CompletableFuture<>();

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 1000, 3_000_001};
  }

  private static int cancelling(int a, int b) {
    if (CALLS.getAndIncrement() == 0) {
      RUNNING.join().cancel(true);
    }
    return a + b;
  }

  @Test
  void whatIsCancelledInTheMiddle_endsWithItsTasks() {
    int[] x = counting(1 << 22);
    Operator operator = Operator.ofInt("cancelling", 0, JvmAsyncRunsTest::cancelling);
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    CompletableFuture<?> future =
        funnel.async(
            () -> thrown.complete(assertThrows(Throwable.class, () -> funnel.reduce(x, operator))));
    RUNNING.complete(future);
    assertEquals(CancellationException.class, thrown.join().getClass());
    assertTrue(CALLS.get() < x.length / 2, () -> "calls=" + CALLS);
    CALLS.set(1);
    assertEquals(IntStream.of(x).sum(), funnel.reduce(x, operator));
  }
}
