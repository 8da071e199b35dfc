package funnel.rank;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import funnel.Seed;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Numbers whose highest bits are the same, in all of them or where they begin. */
class RankSelectLoopsTest {

  private static final int LENGTH = 70_001;
  private static final List<Double> QUANTILES = List.of(0.0, 0.001, 0.5, 0.5001, 0.99, 1.0);
  private static final long[] BASES = {0, -1, 1L << 20, -1L << 21, Integer.MIN_VALUE, 123456};
  private static final int[] RANGES = {1, 2, 3, 1000, 1 << 11, 1 << 20, 1 << 22, 1 << 30};

  private static Ranks ranks() {
    return Ranks.of(QUANTILES, false);
  }

  private static void check(long[] longs) {
    check(longs, Integer.MAX_VALUE);
    check(longs, 1);
  }

  private static void check(long[] longs, int leastSampled) {
    int length = longs.length;
    int[] at = IntStream.range(0, QUANTILES.size()).map(i -> (int) ranks().at(i, length)).toArray();
    long[] sorted = longs.clone();
    Arrays.sort(sorted);
    long[] found = new long[at.length];
    new RankSelectLoops(
            MemorySegment.ofArray(longs), length, ElementType.LONG, ranks(), leastSampled)
        .elements(MemorySegment.ofArray(found));
    assertArrayEquals(IntStream.of(at).mapToLong(i -> sorted[i]).toArray(), found);

    int[] ints = Arrays.stream(longs).mapToInt(v -> (int) v).toArray();
    int[] sortedInts = ints.clone();
    Arrays.sort(sortedInts);
    int[] foundInts = new int[at.length];
    new RankSelectLoops(MemorySegment.ofArray(ints), length, ElementType.INT, ranks(), leastSampled)
        .elements(MemorySegment.ofArray(foundInts));
    assertArrayEquals(IntStream.of(at).map(i -> sortedInts[i]).toArray(), foundInts);

    double[] doubles = Arrays.stream(longs).mapToDouble(v -> v / 8.0).toArray();
    double[] sortedDoubles = doubles.clone();
    Arrays.sort(sortedDoubles);
    double[] foundDoubles = new double[at.length];
    new RankSelectLoops(
            MemorySegment.ofArray(doubles), length, ElementType.DOUBLE, ranks(), leastSampled)
        .elements(MemorySegment.ofArray(foundDoubles));
    assertArrayEquals(IntStream.of(at).mapToDouble(i -> sortedDoubles[i]).toArray(), foundDoubles);

    int wanted = Math.min(7, length);
    int[] positions = new int[wanted];
    new RankSelectLoops(
            MemorySegment.ofArray(longs),
            length,
            ElementType.LONG,
            Ranks.first(wanted, true),
            leastSampled)
        .positions(wanted, MemorySegment.ofArray(positions));
    long[] largest = IntStream.of(positions).mapToLong(i -> longs[i]).sorted().toArray();
    assertArrayEquals(Arrays.copyOfRange(sorted, length - wanted, length), largest);
  }

  @Test
  void smallRanges() {
    SplittableRandom random = Seed.random("ranges");
    for (long base : BASES) {
      for (int range : RANGES) {
        check(random.longs(LENGTH, 0, range).map(v -> base + v).toArray());
      }
    }
  }

  @Test
  void othersLater() {
    SplittableRandom random = Seed.random("later");
    for (int other : new int[] {1023, 1024, 50_000, LENGTH - 1}) {
      long[] values = random.longs(LENGTH, 0, 1000).toArray();
      values[other] = random.nextLong();
      check(values);
    }
  }

  @Test
  void few() {
    check(new long[] {5});
    check(new long[] {5, 5, 5});
    check(new long[] {5, -5, 6});
  }
}
