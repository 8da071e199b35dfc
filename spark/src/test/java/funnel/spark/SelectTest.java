package funnel.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.histogram.Histogram;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class SelectTest {

  private static final Transform POSITIVE = Transform.testInt("positive", x -> x > 0);

  private final FunnelSpark funnel = Cluster.FUNNEL;

  @Test
  void keepsChunksAndOrder() {
    List<int[]> ints = new Samples().chunks(int[].class, 100);
    List<int[]> selected =
        funnel.select(Samples.of(int[].class, ints, 4), POSITIVE).rdd().collect();
    assertEquals(ints.size(), selected.size());
    for (int c = 0; c < ints.size(); c++) {
      assertArrayEquals(Arrays.stream(ints.get(c)).filter(x -> x > 0).toArray(), selected.get(c));
    }
  }

  /** What a function captured travels with it to the executors. */
  @Test
  void byWhatAFunctionCaptured() {
    List<int[]> ints = new Samples().chunks(int[].class, 10);
    Chunks<int[]> chunks = Samples.of(int[].class, ints, 4);
    for (int k = -3; k < 3; k++) {
      int least = k;
      Transform above = Transform.testInt("above", x -> x >= least);
      List<int[]> selected = funnel.select(chunks, above).rdd().collect();
      long count = 0;
      for (int c = 0; c < ints.size(); c++) {
        int[] wanted = Arrays.stream(ints.get(c)).filter(x -> x >= least).toArray();
        assertArrayEquals(wanted, selected.get(c));
        count += wanted.length;
      }
      assertEquals(count, funnel.reduce(chunks, Reduction.countIf(above)).longValue());
      int[] table = {k, 2 * k, 7};
      Transform lookUp = Transform.ofInt("look up", x -> table[Math.floorMod(x, 3)]);
      assertEquals(
          ints.stream().flatMapToInt(Arrays::stream).map(x -> table[Math.floorMod(x, 3)]).sum(),
          funnel.reduce(chunks, Reduction.of(Operator.SUM, lookUp)));
    }
  }

  @Test
  void isScannedAndSortedThen() {
    Chunks<int[]> chunks =
        Samples.of(int[].class, new int[][] {{5, -1, 2}, {-3}}, new int[][] {{-2, 4}});
    Chunks<int[]> selected = funnel.select(chunks, POSITIVE);
    int[][] sums = {{5, 7}, {}, {11}};
    assertArrayEquals(
        sums,
        funnel
            .scan(selected, Scan.inclusive(Operator.SUM))
            .as(int[].class)
            .rdd()
            .collect()
            .toArray());
    assertArrayEquals(new int[] {2, 4, 5}, funnel.sort(selected, 1).rdd().collect().getFirst());
  }

  @Test
  void refusals() {
    Chunks<long[]> chunks = Samples.of(long[].class, List.of(new long[] {1}), 1);
    assertThrows(IllegalArgumentException.class, () -> funnel.select(chunks, POSITIVE));
    Transform map = Transform.ofLong("twice", x -> 2 * x);
    assertThrows(IllegalArgumentException.class, () -> funnel.select(chunks, map));
  }

  /** An element's index in its chunk is not the one among all. */
  @Test
  void functionsOfTheIndexAreRefused() {
    Chunks<int[]> chunks = Samples.of(int[].class, List.of(new int[] {5, 5}, new int[] {5}), 1);
    Transform index = Transform.indexedInt("index", (i, _) -> i);
    Transform odd = Transform.testIndexedInt("odd", (i, _) -> (i & 1) == 1);
    for (Executable call :
        List.<Executable>of(
            () -> funnel.select(chunks, odd),
            () -> funnel.reduce(chunks, Reduction.of(Operator.MAX, index)),
            () -> funnel.reduce(chunks, Reduction.countIf(odd)),
            () -> funnel.scan(chunks, Scan.inclusive(Operator.SUM).mapped(index)),
            () -> funnel.histogram(chunks, Histogram.ofKeys(2).mapped(index)))) {
      assertThrows(IllegalArgumentException.class, call);
    }
  }
}
