package funnel.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Elements;
import funnel.Funnel;
import funnel.Results;
import funnel.operation.Target;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.sort.IsSorted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankTest {

  private static final double[] SHARES = {0.5, 0, 1, 0.999, 0.25, 0.5, 1e-9, 0.12345};

  private final FunnelSpark funnel = Cluster.FUNNEL;
  private final Samples samples = new Samples();

  /** The elements at quantiles of a sorted array, by their definition. */
  private static double[] expected(double[] sorted) {
    return Arrays.stream(SHARES)
        .map(q -> sorted[Math.max((int) Math.ceil(q * sorted.length) - 1, 0)])
        .toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 1000, 1 << 30})
  void quantilesOfInts(int bound) {
    List<int[]> ints = new ArrayList<>(samples.chunks(int[].class, bound));
    ints.add(samples.chunks(int[].class, bound).get(3));
    Chunks<int[]> chunks = Samples.of(int[].class, ints, 4);
    double[] sorted =
        Samples.all(ints).stream().mapToDouble(Number::doubleValue).sorted().toArray();
    int[] found = funnel.quantiles(chunks, SHARES);
    assertArrayEquals(expected(sorted), Arrays.stream(found).mapToDouble(x -> x).toArray());
    assertArrayEquals(
        interpolated(Elements.of(Arrays.stream(sorted).mapToInt(x -> (int) x).toArray())),
        funnel.interpolatedQuantiles(chunks, SHARES));
  }

  private static double[] interpolated(Elements all) {
    try (Funnel one = Funnel.open(Target.JVM)) {
      return one.run(Quantiles.of(SHARES).interpolated(), all).doubles("result");
    }
  }

  @Test
  void quantilesOfDoubles() {
    List<double[]> doubles = new ArrayList<>(samples.chunks(double[].class, 100));
    doubles.add(new double[] {Double.NaN, 0.0, -0.0, -0.0, Double.NEGATIVE_INFINITY});
    Chunks<double[]> chunks = Samples.of(double[].class, doubles, 5);
    double[] all = Samples.all(doubles).stream().mapToDouble(Number::doubleValue).toArray();
    double[] sorted = all.clone();
    Arrays.sort(sorted);
    assertArrayEquals(expected(sorted), funnel.quantiles(chunks, SHARES));
    assertArrayEquals(interpolated(Elements.of(all)), funnel.interpolatedQuantiles(chunks, SHARES));
    double infinity = Double.POSITIVE_INFINITY;
    Chunks<double[]> ends =
        Samples.of(double[].class, List.of(new double[] {infinity}, new double[] {1}), 2);
    assertArrayEquals(
        new double[] {1, infinity, infinity}, funnel.interpolatedQuantiles(ends, 0, 0.5, 1));
    Chunks<double[]> zeros = Samples.of(double[].class, List.of(new double[] {0.0, -0.0, 0.0}), 1);
    assertArrayEquals(new double[] {-0.0, 0.0}, funnel.quantiles(zeros, 0.3, 0.5));
  }

  @Test
  void interpolatedBesideInfinity() {
    List<double[]> ends = List.of(new double[] {1}, new double[] {Double.POSITIVE_INFINITY});
    assertArrayEquals(
        new double[] {Double.POSITIVE_INFINITY},
        funnel.interpolatedQuantiles(Samples.of(double[].class, ends, 2), 0.5));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 100_000})
  void topOfInts(int k) {
    List<int[]> ints = samples.chunks(int[].class, 2000);
    int[] sorted = Samples.all(ints).stream().mapToInt(Number::intValue).sorted().toArray();
    int count = Math.min(k, sorted.length);
    int[] largest = new int[count];
    for (int i = 0; i < count; i++) {
      largest[i] = sorted[sorted.length - 1 - i];
    }
    Chunks<int[]> chunks = Samples.of(int[].class, ints, 4);
    assertArrayEquals(largest, funnel.topK(chunks, TopK.largest(k)));
    assertArrayEquals(Arrays.copyOf(sorted, count), funnel.topK(chunks, TopK.smallest(k)));
  }

  @Test
  void topOfDoubles() {
    Chunks<double[]> chunks =
        Samples.of(
            double[].class, new double[][] {{-0.0, 1}, {}}, new double[][] {{0.0, Double.NaN}});
    assertArrayEquals(
        new double[] {Double.NaN, 1, 0.0, -0.0}, funnel.topK(chunks, TopK.largest(4)));
  }

  @Test
  void nothing() {
    Chunks<int[]> none = Samples.of(int[].class, new int[][] {{}}, new int[][] {});
    assertArrayEquals(new int[0], funnel.topK(none, TopK.largest(3)));
    assertArrayEquals(new int[0], funnel.quantiles(none, 0.5));
    assertArrayEquals(new double[0], funnel.interpolatedQuantiles(none, 0.5));
  }

  @Test
  void positionsAndOtherOperationsInParts() {
    Chunks<int[]> chunks =
        Samples.of(int[].class, new int[][] {{3, 1}, {}}, new int[][] {{4, 1, 5}}, new int[][] {});
    Results top = funnel.run(TopK.largest(3).withPositions(), chunks);
    assertArrayEquals(new int[] {5, 4, 3}, top.ints("result"));
    assertArrayEquals(new long[] {4, 2, 0}, top.longs("result_positions"));
    Results sorted = funnel.run(IsSorted.ascending(), chunks);
    assertEquals(0, sorted.getLong("result"));
    assertEquals(1, sorted.getLong("result_first"));
    assertEquals(27, funnel.run(Reduction.dot(), chunks, chunks).getLong("result") - 25);
    Results ends = funnel.run(Reduction.minMax(), chunks);
    assertEquals(1, ends.getInt("result_min"));
    assertEquals(5, ends.getInt("result_max"));
    assertThrows(IllegalArgumentException.class, () -> funnel.run(Quantiles.median(), chunks));
  }

  @Test
  void refusals() {
    Chunks<int[]> chunks = Samples.of(int[].class, List.of(new int[] {1}), 1);
    TopK positions = TopK.largest(3).withPositions();
    assertThrows(IllegalArgumentException.class, () -> funnel.topK(chunks, positions));
    assertThrows(IllegalArgumentException.class, () -> funnel.quantiles(chunks));
    assertThrows(IllegalArgumentException.class, () -> funnel.quantiles(chunks, 1.5));
    assertThrows(IllegalArgumentException.class, () -> funnel.interpolatedQuantiles(chunks, -1));
  }
}
