package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.operation.Input;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Each sample belongs to one tile, one part and one thread, whatever their number. */
class HistogramShapeTest {

  private static void check(int capacity, int length, int counters) {
    int blocks = HistogramShape.countingBlocks(counters, capacity);
    int threads = HistogramShape.blocks(capacity) * HistogramShape.THREADS;
    Step step =
        new HistogramStep(
                "h",
                new Input("x", ElementType.INT, capacity),
                null,
                ElementType.INT,
                Bins.keys(counters, 1),
                HistogramMethod.SECTIONED)
            .in(Setting.asIs());
    int[] shape = step.layout().shape(step.shape(name -> length), name -> length);
    String what = "length=%s, capacity=%s, counters=%s".formatted(length, capacity, counters);
    long round = HistogramShape.COUNTING_THREADS * HistogramShape.ROUND;
    int rounds = shape[HistogramShape.ROUNDS];
    long tiles = shape[HistogramShape.TILES];
    assertTrue(rounds >= 1 && rounds <= HistogramShape.MOST_ROUNDS, what);
    assertTrue(rounds == 1 || (rounds - 1) * round * blocks < length, what);
    assertTrue(tiles * rounds * round >= length && (tiles - 1) * rounds * round < length, what);
    assertTrue(rounds == HistogramShape.MOST_ROUNDS || tiles <= blocks, what);
    assertTrue(tiles <= HistogramShape.mostTiles(counters, capacity), what);
    long part = shape[HistogramShape.PART];
    long whole = shape[HistogramShape.WHOLE_PARTS];
    assertTrue(part >= 1 && part * threads >= length, what);
    assertTrue(part == 1 || (part - 1) * threads < length, what);
    assertTrue(whole * part <= length && length < (whole + 1) * part, what);
    long each = shape[HistogramShape.PER_THREAD];
    long more = shape[HistogramShape.ONE_MORE];
    assertTrue(more >= 0 && more < threads, what);
    assertEquals(length, each * threads + more, what);
    assertEquals(length, shape[HistogramShape.LENGTH], what);
  }

  @Test
  void samplesAreShared() {
    SplittableRandom random = Seed.random("histogram shapes");
    check(Input.LARGEST_CAPACITY, Input.LARGEST_CAPACITY, 1);
    for (int i = 0; i < 2000; i++) {
      int capacity = 1 + random.nextInt((int) Math.min(1L << random.nextInt(1, 32), 2_000_000_000));
      int length = i % 10 == 0 ? 0 : random.nextInt(capacity + 1);
      check(capacity, length, 1 + random.nextInt(1 << random.nextInt(1, 15)));
    }
  }
}
