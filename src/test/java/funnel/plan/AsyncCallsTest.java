package funnel.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AsyncCallsTest {

  private final AsyncCalls calls = new AsyncCalls();

  @Test
  void calls_areMadeOneAfterTheOther_inOrder() {
    List<Integer> made = Collections.synchronizedList(new ArrayList<>());
    List<CompletableFuture<Boolean>> futures =
        IntStream.range(0, 100).mapToObj(i -> calls.next(() -> made.add(i))).toList();
    assertTrue(futures.stream().allMatch(CompletableFuture::join));
    assertEquals(IntStream.range(0, 100).boxed().toList(), made);
  }

  @Test
  void whatFollowsACall_mayWaitForTheNextOne() {
    CountDownLatch goOn = new CountDownLatch(1);
    CompletableFuture<Integer> first =
        calls.next(
            () -> {
              goOn.await();
              return 1;
            });
    CompletableFuture<Integer> second = calls.next(() -> 2);
    CompletableFuture<Integer> both =
        first.thenApply(value -> value + second.join() + calls.next(() -> 3).join());
    goOn.countDown();
    assertEquals(6, both.join());
  }

  @Test
  void whoeverWaitsForAllCalls_findsTheirFuturesDone() {
    for (int turn = 0; turn < 1000; turn++) {
      List<CompletableFuture<Integer>> futures =
          List.of(calls.next(() -> 1), calls.next(() -> 2), calls.next(() -> 3));
      calls.await();
      assertTrue(futures.stream().allMatch(CompletableFuture::isDone), "turn " + turn);
    }
  }

  @Test
  void whatFollowsACall_mayWaitForAllThatAreRequested() {
    CountDownLatch goOn = new CountDownLatch(1);
    CompletableFuture<Boolean> waited =
        calls
            .next(
                () -> {
                  goOn.await();
                  return true;
                })
            .thenApply(
                done -> {
                  calls.await();
                  return done;
                });
    var _ = calls.next(() -> 2);
    goOn.countDown();
    calls.await();
    assertTrue(waited.join());
  }

  @Test
  void cancelledBeforeItsTurn_isNeverMade_andTheNextOneIs() {
    CountDownLatch goOn = new CountDownLatch(1);
    List<String> made = Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<?> first =
        calls.next(
            () -> {
              goOn.await();
              return made.add("first");
            });
    assertTrue(calls.next(() -> made.add("second")).cancel(false));
    CompletableFuture<?> third = calls.next(() -> made.add("third"));
    goOn.countDown();
    third.join();
    assertTrue(first.isDone());
    assertEquals(List.of("first", "third"), made);
  }

  @Test
  void whatACallThrows_isWhatTheFutureHas_checkedOrNot() {
    for (Throwable thrown : List.of(new IOException(), new AssertionError())) {
      CompletableFuture<Object> future =
          calls.next(
              () -> {
                if (thrown instanceof Exception e) {
                  throw e;
                }
                throw (Error) thrown;
              });
      assertSame(thrown, assertThrows(CompletionException.class, future::join).getCause());
    }
  }
}
