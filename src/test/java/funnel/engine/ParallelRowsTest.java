package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    ParallelRows.run(0, elements, (from, to) -> fail("ran rows %d to %d".formatted(from, to)));
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
          ran.add("%d to %d".formatted(from, to));
        });
    assertEquals(List.of("0 to 1000"), ran);
  }

  @ParameterizedTest
  @CsvSource({"-1, 5", "5, -1"})
  void negativeCountsAreRefused(int rows, int elements) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> ParallelRows.run(rows, elements, (from, to) -> fail("ran")));
    assertEquals(
        "rows=%d, elements=%d: give counts from 0 on".formatted(rows, elements), e.getMessage());
  }
}
