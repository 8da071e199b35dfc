package funnel.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReduceTest {

  /** Not commutative; a static method of this class, which executors have from a jar. */
  static int firstNonZero(int left, int right) {
    return left != 0 ? left : right;
  }

  private static final Operator FIRST_NON_ZERO =
      Operator.ofInt("first non-zero", 0, ReduceTest::firstNonZero);

  private final FunnelSpark funnel = Cluster.FUNNEL;
  private final Samples samples = new Samples();

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 20})
  void integersAreThoseOfOneArray(int partitions) {
    List<int[]> ints = samples.chunks(int[].class, 1 << 30);
    int[] all = Samples.all(ints).stream().mapToInt(Number::intValue).toArray();
    Chunks<int[]> chunks = Samples.of(int[].class, ints, partitions);
    long sum = 0;
    int best = 0;
    int least = 0;
    long even = 0;
    for (int i = 0; i < all.length; i++) {
      sum += all[i];
      best = all[i] > all[best] ? i : best;
      least = all[i] < all[least] ? i : least;
      even += (all[i] & 1) == 0 ? 1 : 0;
    }
    assertEquals((int) sum, funnel.reduce(chunks, Reduction.sum()));
    assertEquals(sum, funnel.reduce(chunks, Reduction.sumAsLong()));
    assertEquals(all[best], funnel.reduce(chunks, Reduction.max()));
    assertEquals((long) best, funnel.reduce(chunks, Reduction.argMax()));
    assertEquals((long) least, funnel.reduce(chunks, Reduction.argMin()));
    Transform isEven = Transform.testInt("even", x -> (x & 1) == 0);
    assertEquals(even, funnel.reduce(chunks, Reduction.countIf(isEven)));
    double mean = funnel.reduce(chunks, Reduction.mean()).doubleValue();
    assertEquals(sum / (double) all.length, mean, Math.abs(mean) * 1e-12);
    double squares = Arrays.stream(all).mapToDouble(x -> (x - mean) * (x - mean)).sum();
    double variance = funnel.reduce(chunks, Reduction.variance()).doubleValue();
    assertEquals(squares / all.length, variance, variance * 1e-12);
    double sample = funnel.reduce(chunks, Reduction.sampleVariance()).doubleValue();
    assertEquals(squares / (all.length - 1), sample, sample * 1e-12);
  }

  /** The variance of small numbers, and of the same far from zero. */
  @Test
  void variancesOfNumbersFarFromZero() {
    long far = 1_700_000_000_000_000_000L;
    List<long[]> longs = new ArrayList<>();
    List<double[]> doubles = new ArrayList<>();
    List<byte[]> bytes = new ArrayList<>();
    for (int[] small : samples.chunks(int[].class, 4)) {
      longs.add(Arrays.stream(small).mapToLong(x -> far + x).toArray());
      doubles.add(Arrays.stream(small).mapToDouble(x -> 1e16 + 2 * x).toArray());
      byte[] large = new byte[small.length];
      for (int i = 0; i < large.length; i++) {
        large[i] = (byte) (250 + small[i]);
      }
      bytes.add(large);
    }
    double[] all = Samples.all(longs).stream().mapToDouble(x -> x.longValue() - far).toArray();
    double mean = Arrays.stream(all).sum() / all.length;
    double squares = Arrays.stream(all).map(x -> (x - mean) * (x - mean)).sum();
    double variance = squares / all.length;
    double sample = squares / (all.length - 1);
    Chunks<long[]> ofLongs = Samples.of(long[].class, longs, 3);
    assertEquals(variance, reduced(ofLongs, Reduction.variance()), variance * 1e-12);
    assertEquals(sample, reduced(ofLongs, Reduction.sampleVariance()), sample * 1e-12);
    assertEquals(mean - all[0], reduced(ofLongs, Reduction.meanFromFirst()), 1e-12);
    Chunks<double[]> ofDoubles = Samples.of(double[].class, doubles, 3);
    assertEquals(4 * variance, reduced(ofDoubles, Reduction.variance()), variance * 1e-11);
    Chunks<byte[]> ofBytes = Samples.of(byte[].class, bytes, 3);
    assertEquals(variance, reduced(ofBytes, Reduction.variance()), variance * 1e-12);
  }

  private double reduced(Chunks<?> chunks, Reduction reduction) {
    return funnel.reduce(chunks, reduction).doubleValue();
  }

  @Test
  void longsAreThoseOfOneArray() {
    List<long[]> longs = samples.chunks(long[].class, 1 << 30);
    Chunks<long[]> chunks = Samples.of(long[].class, longs, 4);
    long sum = Samples.all(longs).stream().mapToLong(Number::longValue).sum();
    assertEquals(sum, funnel.reduce(chunks, Reduction.sum()));
    long max = Samples.all(longs).stream().mapToLong(Number::longValue).max().orElseThrow();
    assertEquals(max, funnel.reduce(chunks, Reduction.max()));
  }

  @Test
  void firstPlaceOfSeveral() {
    Chunks<int[]> chunks =
        Samples.of(int[].class, new int[][] {{3, 1}, {}}, new int[][] {}, new int[][] {{4, 1, 4}});
    assertEquals(2L, funnel.reduce(chunks, Reduction.argMax()));
    assertEquals(1L, funnel.reduce(chunks, Reduction.argMin()));
  }

  @Test
  void operatorsOfTheUsersTravelByClassAndCombineInOrder() {
    Chunks<int[]> chunks =
        Samples.of(
            int[].class,
            new int[][] {{0}, {}, {0, 0}},
            new int[][] {{0, 7}, {8}},
            new int[][] {{9}});
    assertEquals(7, funnel.reduce(chunks, Reduction.of(FIRST_NON_ZERO)));
    Operator lambda = Operator.ofInt("last non-zero", 0, (a, b) -> b != 0 ? b : a);
    assertEquals(9, funnel.reduce(chunks, Reduction.of(lambda)));
  }

  @Test
  void floatsDependOnChunksAlone() {
    List<float[]> floats = samples.chunks(float[].class, 1 << 20);
    Number sum = funnel.reduce(Samples.of(float[].class, floats, 1), Reduction.sum());
    for (int partitions : new int[] {2, 5, 30}) {
      Chunks<float[]> others = Samples.of(float[].class, floats, partitions);
      assertEquals(sum, funnel.reduce(others, Reduction.sum()));
    }
    double exact = Samples.all(floats).stream().mapToDouble(Number::doubleValue).sum();
    double wide =
        funnel.reduce(Samples.of(float[].class, floats, 3), Reduction.sumAsDouble()).doubleValue();
    assertEquals(exact, wide, 1e-3);
    assertEquals(exact, sum.doubleValue(), 1e3);
  }

  @Test
  void notANumberAndZeros() {
    Chunks<double[]> chunks =
        Samples.of(double[].class, new double[][] {{0.0}, {-0.0}}, new double[][] {{0.0}, {}});
    assertEquals(-0.0, funnel.reduce(chunks, Reduction.min()));
    assertEquals(0.0, funnel.reduce(chunks, Reduction.max()));
    assertEquals(0.0, funnel.reduce(chunks, Reduction.sum()));
    Chunks<double[]> nan =
        Samples.of(double[].class, new double[][] {{1}}, new double[][] {{2, Double.NaN}, {3}});
    assertEquals(Double.NaN, funnel.reduce(nan, Reduction.max()));
    assertEquals(2L, funnel.reduce(nan, Reduction.argMin()));
    Chunks<double[]> infinite =
        Samples.of(double[].class, new double[][] {{1, Double.POSITIVE_INFINITY}, {3}});
    assertEquals(Double.POSITIVE_INFINITY, funnel.reduce(infinite, Reduction.mean()));
  }

  @Test
  void nothing() {
    for (Chunks<int[]> chunks :
        List.of(
            Samples.of(int[].class, List.of(), 2),
            Samples.of(int[].class, new int[][] {{}}, new int[][] {}))) {
      assertEquals(0L, funnel.reduce(chunks, Reduction.sumAsLong()));
      assertEquals(1, funnel.reduce(chunks, Reduction.product()));
      for (Reduction reduction :
          List.of(Reduction.max(), Reduction.mean(), Reduction.variance(), Reduction.argMin())) {
        assertThrows(NoSuchElementException.class, () -> funnel.reduce(chunks, reduction));
      }
    }
  }

  @Test
  void refusedBeforeAnythingRuns() {
    Chunks<float[]> chunks = Samples.of(float[].class, List.of(new float[] {1}), 1);
    Chunks<float[]> failing =
        Chunks.of(
            chunks
                .rdd()
                .map(
                    chunk -> {
                      throw new AssertionError("was run");
                    }),
            float[].class);
    for (Reduction reduction :
        List.of(
            Reduction.minMax(),
            Reduction.dot(),
            Reduction.sumAsLong(),
            Reduction.of(Operator.AND),
            Reduction.of(FIRST_NON_ZERO))) {
      assertThrows(
          IllegalArgumentException.class,
          () -> funnel.reduce(failing, reduction),
          reduction::toString);
    }
    assertThrows(IllegalArgumentException.class, () -> failing.as(int[].class));
  }

  @Test
  void failedTasksAreRunAgain() {
    List<int[]> ints = samples.chunks(int[].class, 1000);
    Chunks<int[]> chunks =
        Chunks.of(
            Samples.of(int[].class, ints, 3)
                .rdd()
                .map(
                    chunk -> {
                      if (TaskContext.get().attemptNumber() == 0
                          && TaskContext.getPartitionId() == 1) {
                        throw new IllegalStateException("the first attempt fails");
                      }
                      return chunk;
                    }),
            int[].class);
    int sum = Samples.all(ints).stream().mapToInt(Number::intValue).sum();
    assertEquals(sum, funnel.reduce(chunks, Reduction.sum()));
  }

  @Test
  void whatAnOperatorThrowsIsTheCause() {
    Operator failing =
        Operator.ofInt(
            "failing",
            0,
            (a, b) -> {
              if (a == 5 || b == 5) {
                throw new ArithmeticException("five");
              }
              return a + b;
            });
    Chunks<int[]> chunks = Samples.of(int[].class, List.of(new int[] {1, 5}), 1);
    Throwable thrown =
        assertThrows(SparkException.class, () -> funnel.reduce(chunks, Reduction.of(failing)));
    assertTrue(thrown.getMessage().contains("five"), thrown.getMessage());
    assertEquals(ArithmeticException.class, thrown.getCause().getClass());
  }
}
