package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import funnel.operation.ParallelRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelRowsTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1 << 20, Integer.MAX_VALUE})
  void noRowsRunNothing(int elements) {
    ParallelRows.run(0, elements, (from, to) -> fail("ran rows %s to %s".formatted(from, to)));
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "1, 2147483647", "3, 100", "7, 1000000", "1000, 2147483647"})
  void everyRowRunsOnce(int rows, int elements) {
    AtomicIntegerArray times = new AtomicIntegerArray(rows);
    ParallelRows.run(
        rows, elements, (from, to) -> IntStream.range(from, to).forEach(times::incrementAndGet));
    int[] once = new int[rows];
    Arrays.fill(once, 1);
    assertArrayEquals(once, IntStream.range(0, rows).map(times::get).toArray());
  }

  @Test
  void noElementsAreOneTaskOfTheCaller() {
    List<String> ran = new ArrayList<>();
    Thread caller = Thread.currentThread();
    ParallelRows.run(
        1000,
        0,
        (from, to) -> {
          assertSame(caller, Thread.currentThread());
          ran.add("%s to %s".formatted(from, to));
        });
    assertEquals(List.of("0 to 1000"), ran);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 4", "1000, 1", "3, 8", "1000, 8"})
  void everyTaskRunsOnce_andAWorkersOneAfterTheOther(int tasks, int workers) {
    AtomicIntegerArray times = new AtomicIntegerArray(tasks);
    AtomicIntegerArray made = new AtomicIntegerArray(workers);
    ParallelRows.deal(
        tasks,
        workers,
        worker -> {
          made.incrementAndGet(worker);
          int[] last = {-1};
          return task -> {
            times.incrementAndGet(task);
            assertTrue(task > last[0]);
            last[0] = task;
          };
        });
    assertTrue(IntStream.range(0, tasks).allMatch(task -> times.get(task) == 1));
    assertTrue(IntStream.range(0, workers).allMatch(worker -> made.get(worker) <= 1));
  }

  /** By more threads than this machine may have cores. */
  @Test
  void theFirstExceptionInOrderIsThrown_itself_whenAllTasksHaveEnded() {
    List<IOException> thrown = IntStream.range(0, 100).mapToObj(i -> new IOException()).toList();
    try (ForkJoinPool pool = new ForkJoinPool(4)) {
      for (int round = 0; round < 200; round++) {
        AtomicInteger inside = new AtomicInteger();
        int first = round % thrown.size();
        Throwable e =
            pool.submit(
                    () ->
                        assertThrows(
                            IOException.class,
                            () ->
                                ParallelRows.deal(
                                    thrown.size(),
                                    4,
                                    _ ->
                                        task -> {
                                          inside.incrementAndGet();
                                          try {
                                            if (task >= first) {
                                              sneak(thrown.get(task));
                                            }
                                            Thread.yield();
                                          } finally {
                                            inside.decrementAndGet();
                                          }
                                        })))
                .join();
        assertSame(thrown.get(first), e);
        assertEquals(0, inside.get());
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Test
  void aWorkerThatCannotBeMadeEndsTheCall() {
    assertThrows(
        ArithmeticException.class,
        () ->
            ParallelRows.deal(
                10,
                2,
                worker -> {
                  throw new ArithmeticException();
                }));
  }

  @ParameterizedTest
  @CsvSource({"-1, 5", "5, 0"})
  void tasksWithoutWorkersAreRefused(int tasks, int workers) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> ParallelRows.deal(tasks, workers, _ -> task -> fail("ran")));
    assertEquals(
        "tasks=%s, workers=%s: give counts from 0 and from 1 on".formatted(tasks, workers),
        e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"-1, 5", "5, -1"})
  void negativeCountsAreRefused(int rows, int elements) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> ParallelRows.run(rows, elements, (from, to) -> fail("ran")));
    assertEquals(
        "rows=%s, elements=%s: give counts from 0 on".formatted(rows, elements), e.getMessage());
  }
}
