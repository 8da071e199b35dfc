package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Array.Runs;
import funnel.Doubles;
import funnel.EngineContract;
import funnel.Groups;
import funnel.Ints;
import funnel.Reading;
import funnel.Seed;
import funnel.Table;
import funnel.Value;
import funnel.rank.Quantiles;
import funnel.reduce.Reduction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is read together, and quantiles of groups. */
abstract class ReadingsContract extends EngineContract {

  @Test
  void valuesAreRead() {
    Ints x = funnel.of(3, 1, 4);
    Value max = x.value(Reduction.max());
    Value sum = x.value(Reduction.sumAsLong());
    Value mean = x.map(v -> 3 * v).value(Reduction.mean());
    Reading read = funnel.read(max, sum, mean);
    assertEquals(4, read.getInt(max));
    assertEquals(4, read.getLong(max));
    assertEquals(4.0, read.getDouble(max));
    assertEquals(8, read.getLong(sum));
    assertEquals(8.0, read.getDouble(mean));
    assertThrows(IllegalArgumentException.class, () -> read.getInt(sum));
    assertThrows(IllegalArgumentException.class, () -> read.getLong(mean));
    Value other = x.value(Reduction.min());
    assertThrows(IllegalArgumentException.class, () -> read.getInt(other));
    Value none = x.limit(0).value(Reduction.max());
    assertThrows(NoSuchElementException.class, () -> funnel.read(none).getInt(none));
  }

  @Test
  void functionsGetWhatIsRead() {
    Runs<Ints> runs = funnel.of(4, 4, 7).runs();
    assertEquals(
        "[4, 7][0, 2]",
        funnel.read(
            runs.values(), runs.starts(), (a, b) -> Arrays.toString(a) + Arrays.toString(b)));
    assertEquals(
        List.of(2, 2, 2),
        funnel.read(
            runs.values(),
            runs.starts(),
            runs.lengths(),
            (a, b, c) -> List.of(a.length, b.length, c[0])));
    assertEquals(
        List.of(7, 2, 1, 4),
        funnel.read(
            runs.values(),
            runs.starts(),
            runs.lengths(),
            runs.values().reversed(),
            (a, b, c, d) -> List.of(a[1], b[1], c[1], d[1])));
  }

  @Test
  void variancesAreThoseOfPlans() {
    SplittableRandom random = Seed.random("variancesAreThoseOfPlans");
    for (int n : IntStream.of(lengths()).filter(n -> n > 1).toArray()) {
      double[] x = random.doubles(n).toArray();
      Doubles of = funnel.of(x);
      Value variance = of.value(Reduction.variance());
      Value sample = of.value(Reduction.sampleVariance());
      Value twice = of.map(v -> 2 * v).value(Reduction.variance());
      Reading read = funnel.read(of.value(Reduction.mean()), variance, sample, twice);
      double mean = Arrays.stream(x).average().orElseThrow();
      double squares = Arrays.stream(x).map(v -> (v - mean) * (v - mean)).sum();
      assertEquals(squares / n, read.getDouble(variance), 1e-12 * squares, Seed.replay());
      assertEquals(squares / (n - 1), read.getDouble(sample), 1e-12 * squares, Seed.replay());
      assertEquals(4 * squares / n, read.getDouble(twice), 1e-11 * squares, Seed.replay());
      assertEquals(of.variance(), read.getDouble(variance));
    }
  }

  @Test
  void numbersBecomeBytes() {
    assertArrayEquals(new byte[] {1, -1, 0}, funnel.of(1, -1, 256).asBytes().toArray());
    assertArrayEquals(new byte[] {1, -1, 0}, funnel.of(1L, -1L, 1L << 40).asBytes().toArray());
    assertArrayEquals(new byte[] {1, -1, 0}, funnel.of(1.9f, -1.9f, Float.NaN).asBytes().toArray());
    assertArrayEquals(new byte[] {1, -1, -1}, funnel.of(1.9, -1.9, 1e300).asBytes().toArray());
    assertArrayEquals(new byte[0], funnel.of(new int[0]).asBytes().toArray());
  }

  /** The quantile of each group, groups and their values in ascending order or in their own. */
  private static double[] quantiles(double quantile, int[] groups, double[] values) {
    Map<Integer, List<Double>> all = new LinkedHashMap<>();
    for (int i = 0; i < groups.length; i++) {
      all.computeIfAbsent(groups[i], _ -> new ArrayList<>()).add(values[i]);
    }
    all.values().forEach(Collections::sort);
    return all.values().stream()
        .mapToDouble(sorted -> sorted.get((int) Quantiles.of(quantile).ranks(sorted.size())[0]))
        .toArray();
  }

  private static int[] sorted(int... values) {
    return IntStream.of(values).sorted().toArray();
  }

  @Test
  void groupsHaveQuantiles() {
    SplittableRandom random = Seed.random("groupsHaveQuantiles");
    for (int n : lengths()) {
      int[] keys = random.ints(n, -2, 1 + n / 20).toArray();
      double[] values = random.doubles(n).map(v -> v < 0.05 ? Double.NaN : v - 0.5).toArray();
      int[] distinct = sorted(IntStream.of(keys).distinct().toArray());
      int[] rank = IntStream.of(keys).map(key -> Arrays.binarySearch(distinct, key)).toArray();
      Doubles x = funnel.of(values);
      Ints by = funnel.of(keys);
      for (double q : new double[] {0, 0.07, 0.5, 0.99, 1}) {
        double[] expected = new double[distinct.length];
        double[] found = quantiles(q, keys, values);
        int[] order = IntStream.of(keys).distinct().toArray();
        for (int i = 0; i < order.length; i++) {
          expected[Arrays.binarySearch(distinct, order[i])] = found[i];
        }
        assertArrayEquals(expected, by.groupBy().quantile(q, x).toArray(), Seed.replay());
      }
      int[] runs = new int[n];
      for (int i = 1; i < n; i++) {
        runs[i] = runs[i - 1] + (rank[i] == rank[i - 1] ? 0 : 1);
      }
      assertArrayEquals(
          quantiles(0.5, runs, values), by.groupByRuns().median(x).toArray(), Seed.replay());
    }
  }

  @Test
  void groupsOfTablesHaveQuantiles() {
    Ints a = funnel.of(1, 1, 2, 1, 1, 2);
    Ints b = funnel.of(5, 5, 5, 6, 5, 5);
    Ints x = funnel.of(40, 10, 7, 3, 30, 8);
    Table table = funnel.table(a, b, x).filter(x, v -> v != 7);
    Groups<Ints> by = table.groupBy(a, b);
    assertArrayEquals(new int[] {30, 3, 8}, by.median(x).toArray());
    assertEquals(
        "[10, 3, 8][40, 3, 8]",
        funnel.read(
            by.quantile(0, x),
            by.quantile(1, x),
            (least, most) -> Arrays.toString(least) + Arrays.toString(most)));
    assertThrows(IllegalArgumentException.class, () -> by.quantile(1.5, x));
  }
}
