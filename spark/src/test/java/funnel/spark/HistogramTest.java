package funnel.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.histogram.Histogram;
import funnel.histogram.KeyOutsideException;
import funnel.histogram.Uncounted;
import funnel.operator.ElementType;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramTest {

  private final FunnelSpark funnel = Cluster.FUNNEL;
  private final Samples samples = new Samples();

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 15})
  void countsOfInts(int partitions) {
    List<int[]> ints = samples.chunks(int[].class, 100);
    Chunks<int[]> chunks = Samples.of(int[].class, ints, partitions);
    long[] expected = new long[7];
    long below = 0;
    long above = 0;
    for (Number x : Samples.all(ints)) {
      int bin = Math.floorDiv(x.intValue() + 70, 20);
      below += bin < 0 ? 1 : 0;
      above += bin >= 7 ? 1 : 0;
      if (bin >= 0 && bin < 7) {
        expected[bin]++;
      }
    }
    long[] counts = {-1, -1, -1, -1, -1, -1, -1, -1};
    Histogram histogram = Histogram.even(7, -70, 70);
    assertEquals(new Uncounted(below, above, 0), funnel.histogram(chunks, histogram, counts));
    assertArrayEquals(expected, Arrays.copyOf(counts, 7));
    assertEquals(-1, counts[7]);
    assertArrayEquals(expected, funnel.histogram(chunks, histogram.to(ElementType.LONG)));
  }

  @Test
  void doublesAndBytes() {
    Chunks<double[]> doubles =
        Samples.of(
            double[].class, new double[][] {{0.5, Double.NaN}, {}}, new double[][] {{1.5, 3, -1}});
    long[] counts = new long[2];
    assertEquals(
        new Uncounted(1, 1, 1), funnel.histogram(doubles, Histogram.even(2, 0.0, 2.0), counts));
    assertArrayEquals(new long[] {1, 1}, counts);
    Chunks<byte[]> bytes = Samples.of(byte[].class, new byte[][] {{-1, 3}}, new byte[][] {{-1}});
    long[] byValue = funnel.histogram(bytes, Histogram.ofBytes());
    assertEquals(2, byValue[255]);
    assertEquals(1, byValue[3]);
  }

  /** The edges of even bins themselves, half-open and closed. */
  @Test
  void samplesAtTheEdgesOfEvenBins() {
    Histogram even = Histogram.even(10, 0.9, 1.1);
    Chunks<double[]> edges = Samples.of(double[].class, new double[][] {even.edges()});
    long[] counts = new long[10];
    assertEquals(new Uncounted(0, 1, 0), funnel.histogram(edges, even, counts));
    assertArrayEquals(new long[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, counts);
    assertEquals(new Uncounted(0, 0, 0), funnel.histogram(edges, even.closed(), counts));
    assertArrayEquals(new long[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 2}, counts);
    Chunks<long[]> longs = Samples.of(long[].class, new long[][] {{Long.MAX_VALUE, 0}});
    Histogram all = Histogram.even(2, 0, Long.MAX_VALUE).closed();
    assertArrayEquals(new long[] {1, 1}, funnel.histogram(longs, all));
  }

  @Test
  void nothing() {
    Histogram keys = Histogram.ofKeys(3);
    assertArrayEquals(new long[3], funnel.histogram(Samples.of(int[].class, List.of(), 2), keys));
    Chunks<int[]> none = Chunks.of(Cluster.CONTEXT.emptyRDD(), int[].class);
    assertArrayEquals(new long[3], funnel.histogram(none, keys));
  }

  @Test
  void refusals() {
    Chunks<int[]> chunks = Samples.of(int[].class, List.of(new int[] {1, 3}), 1);
    for (Histogram histogram :
        List.of(
            Histogram.even(2, 0.0, 1.0),
            Histogram.ofKeys(4).weighted(),
            Histogram.ofKeys(4).accumulating())) {
      assertThrows(IllegalArgumentException.class, () -> funnel.histogram(chunks, histogram));
    }
    long[] counts = {7, 7, 7};
    assertThrows(
        IllegalArgumentException.class,
        () -> funnel.histogram(chunks, Histogram.ofKeys(4), counts));
    Throwable thrown =
        assertThrows(
            SparkException.class, () -> funnel.histogram(chunks, Histogram.ofKeys(3), counts));
    assertInstanceOf(KeyOutsideException.class, thrown.getCause());
    assertArrayEquals(new long[] {7, 7, 7}, counts);
  }
}
