package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Array;
import funnel.EngineContract;
import funnel.Groups;
import funnel.Ints;
import funnel.Reading;
import funnel.Seed;
import funnel.Value;
import funnel.histogram.Histogram;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Arrays of sources, which are read piece by piece, compared with plain loops. */
abstract class ArraySourcesContract extends EngineContract {

  private int[] random(int length) {
    return Seed.random("array sources " + length).ints(length, 0, 100).toArray();
  }

  private Ints source(int... x) {
    return funnel.ints(Source.of(MemorySegment.ofArray(x), ElementType.INT));
  }

  @Test
  void values() {
    for (int length : lengths()) {
      int[] x = random(length);
      Ints source = source(x);
      assertEquals(length, source.count());
      assertEquals(IntStream.of(x).sum(), source.sum(), Seed::replay);
      assertEquals(IntStream.of(x).asLongStream().sum(), source.sumAsLong(), Seed::replay);
      assertEquals(IntStream.of(x).map(v -> 3 * v).sum(), source.map(v -> 3 * v).sum());
      long large = IntStream.of(x).filter(v -> v > 50).count();
      assertEquals(large, source.count(v -> v > 50), Seed::replay);
      assertEquals(large, source.filter(v -> v > 50).count(), Seed::replay);
      assertEquals(IntStream.of(x).anyMatch(v -> v == 7), source.anyMatch(v -> v == 7));
      if (length == 0) {
        assertThrows(NoSuchElementException.class, source::max);
        continue;
      }
      assertEquals(IntStream.of(x).max().orElseThrow(), source.max(), Seed::replay);
      assertEquals(IntStream.of(x).average().orElseThrow(), source.mean(), 1e-9, Seed::replay);
      Value sum = source.value(Reduction.sumAsLong());
      Value least = source.value(Reduction.min());
      Reading reading = funnel.read(sum, least);
      assertEquals(IntStream.of(x).asLongStream().sum(), reading.getLong(sum), Seed::replay);
      assertEquals(IntStream.of(x).min().orElseThrow(), reading.getInt(least), Seed::replay);
    }
  }

  @Test
  void arrays() {
    for (int length : lengths()) {
      int[] x = random(length);
      int[] sorted = IntStream.of(x).sorted().toArray();
      Ints source = source(x);
      int[] tens = new int[10];
      IntStream.of(x).forEach(v -> tens[v / 10]++);
      assertArrayEquals(
          tens, source.map(v -> v / 10).histogram(Histogram.ofKeys(10)).toArray(), Seed::replay);
      Array.Found<Ints> top = source.largest(3);
      int most = Math.min(3, length);
      int[] largest = IntStream.range(0, most).map(i -> sorted[length - 1 - i]).toArray();
      assertArrayEquals(largest, top.values().toArray(), Seed::replay);
      int[] positions = top.positions().toArray();
      assertArrayEquals(largest, IntStream.of(positions).map(i -> x[i]).toArray(), Seed::replay);
      Groups<Ints> groups = source.groupBy();
      int[] keys = IntStream.of(sorted).distinct().toArray();
      Reading reading = funnel.read(groups.keys(), groups.count());
      assertArrayEquals(keys, reading.get(groups.keys()), Seed::replay);
      int[] counts =
          IntStream.of(keys)
              .map(key -> (int) IntStream.of(x).filter(v -> v == key).count())
              .toArray();
      assertArrayEquals(counts, reading.get(groups.count()), Seed::replay);
      int[] median = length == 0 ? new int[0] : new int[] {sorted[(length + 1) / 2 - 1]};
      assertArrayEquals(median, source.quantiles(0.5).toArray(), Seed::replay);
    }
  }

  @Test
  void written() throws IOException {
    for (int length : lengths()) {
      int[] x = random(length);
      Ints source = source(x);
      assertWritten(IntStream.of(x).sorted().toArray(), source.sorted());
      assertWritten(IntStream.of(x).filter(v -> v > 50).toArray(), source.filter(v -> v > 50));
      int[] sums = x.clone();
      Arrays.parallelPrefix(sums, Integer::sum);
      assertWritten(sums, source.scan(Operator.SUM));
      assertWritten(IntStream.of(x).map(v -> -v).toArray(), funnel.of(x).map(v -> -v));
    }
  }

  private static void assertWritten(int[] expected, Ints array) throws IOException {
    int[] into = new int[expected.length + 1];
    into[expected.length] = -7;
    Sink sink = Sink.of(MemorySegment.ofArray(into), ElementType.INT);
    assertEquals(expected.length, array.write(sink), Seed::replay);
    assertArrayEquals(expected, Arrays.copyOf(into, expected.length), Seed::replay);
    assertEquals(-7, into[expected.length]);
  }

  @Test
  void whatIsNotDoneInPieces_isRefused() {
    Ints source = source(3, 1, 4);
    Sink sink = Sink.of(MemorySegment.ofArray(new int[3]), ElementType.INT);
    assertRefused("read piece by piece", source::toArray);
    assertRefused("read piece by piece", source::keep);
    assertRefused("not done in parts", () -> source.sorted().toArray());
    assertRefused("more than one operation", () -> source.sorted().reversed().write(sink));
    assertRefused("not written to a sink", () -> source.map(v -> v + 1).write(sink));
    assertEquals(8, source.sum());
  }

  private static void assertRefused(String part, Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.contains(part), message);
  }
}
