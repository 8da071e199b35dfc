package funnel.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.scan.Scan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongBinaryOperator;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScanTest {

  private static final Operator LAST_NON_ZERO =
      Operator.ofInt("last non-zero", 0, (a, b) -> b != 0 ? b : a);

  private final FunnelSpark funnel = Cluster.FUNNEL;
  private final Samples samples = new Samples();

  private static void check(
      List<?> chunks, List<?> results, boolean isInclusive, long initial, LongBinaryOperator op) {
    long before = initial;
    assertEquals(chunks.size(), results.size());
    for (int c = 0; c < chunks.size(); c++) {
      List<Number> chunk = Samples.all(List.of(chunks.get(c)));
      List<Number> result = Samples.all(List.of(results.get(c)));
      assertEquals(chunk.size(), result.size());
      for (int i = 0; i < chunk.size(); i++) {
        long with = op.applyAsLong(before, chunk.get(i).longValue());
        long expected = isInclusive ? with : before;
        assertEquals(
            result.get(i) instanceof Integer ? (int) expected : expected,
            result.get(i).longValue());
        before = with;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 15})
  void integersAreThoseOfOneArray(int partitions) {
    List<int[]> ints = samples.chunks(int[].class, 1 << 30);
    Chunks<int[]> chunks = Samples.of(int[].class, ints, partitions);
    Chunks<?> sums = funnel.scan(chunks, Scan.inclusive(Operator.SUM));
    check(ints, sums.as(int[].class).rdd().collect(), true, 0, Long::sum);
    Chunks<?> wide = funnel.scan(chunks, Scan.exclusive(Operator.SUM).to(ElementType.LONG).from(5));
    check(ints, wide.as(long[].class).rdd().collect(), false, 5, Long::sum);
    Chunks<?> most = funnel.scan(chunks, Scan.inclusive(Operator.MAX).from(-3));
    check(ints, most.as(int[].class).rdd().collect(), true, -3, Math::max);
    Scan squares = Scan.inclusive(Operator.SUM).mapped(Transform.ofInt("square", x -> x * x));
    check(
        ints,
        funnel.scan(chunks, squares).rdd().collect().stream().toList(),
        true,
        0,
        (a, b) -> a + (int) b * (int) b);
  }

  @Test
  void operatorsCombineInOrder() {
    Chunks<int[]> chunks =
        Samples.of(
            int[].class,
            new int[][] {{0, 2}, {}, {0}},
            new int[][] {},
            new int[][] {{0, 7, 0}, {0}});
    List<int[]> results =
        funnel.scan(chunks, Scan.inclusive(LAST_NON_ZERO)).as(int[].class).rdd().collect();
    int[][] expected = {{0, 2}, {}, {2}, {2, 7, 7}, {7}};
    assertArrayEquals(expected, results.toArray());
  }

  @Test
  void longs() {
    List<long[]> longs = samples.chunks(long[].class, 1 << 30);
    Chunks<?> sums = funnel.scan(Samples.of(long[].class, longs, 3), Scan.exclusive(Operator.SUM));
    check(longs, sums.as(long[].class).rdd().collect(), false, 0, Long::sum);
  }

  @Test
  void floatsDependOnChunksAlone() {
    List<float[]> floats = samples.chunks(float[].class, 1000);
    Scan scan = Scan.inclusive(Operator.SUM);
    List<float[]> one =
        funnel.scan(Samples.of(float[].class, floats, 1), scan).as(float[].class).rdd().collect();
    List<float[]> many =
        funnel.scan(Samples.of(float[].class, floats, 7), scan).as(float[].class).rdd().collect();
    double before = 0;
    for (int c = 0; c < floats.size(); c++) {
      assertArrayEquals(one.get(c), many.get(c), 0);
      for (int i = 0; i < floats.get(c).length; i++) {
        before += floats.get(c)[i];
        assertEquals(before, one.get(c)[i], 1);
      }
    }
  }

  @Test
  void zerosKeepTheirSignBehindNothing() {
    Chunks<double[]> chunks =
        Samples.of(double[].class, new double[][] {{-0.0}, {}}, new double[][] {{-0.0, 0.0}});
    Scan scan = Scan.inclusive(Operator.SUM).from(-0.0);
    List<double[]> results = funnel.scan(chunks, scan).as(double[].class).rdd().collect();
    assertArrayEquals(new double[] {-0.0}, results.get(0));
    assertArrayEquals(new double[] {-0.0, 0.0}, results.get(2));
  }

  @Test
  void nothing() {
    Scan scan = Scan.inclusive(Operator.SUM);
    assertEquals(
        List.of(), funnel.scan(Samples.of(int[].class, List.of(), 2), scan).rdd().collect());
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
    Chunks<?> sums = funnel.scan(chunks, Scan.inclusive(Operator.SUM));
    check(ints, sums.as(int[].class).rdd().collect(), true, 0, Long::sum);
  }

  @Test
  void chunksThatChangeAreFound(@TempDir Path folder) throws Exception {
    Path changed = folder.resolve("changed");
    String file = changed.toString();
    for (int[] other : List.of(new int[] {1, 2}, new int[0])) {
      Files.deleteIfExists(changed);
      Chunks<int[]> chunks =
          Chunks.of(
              Samples.of(int[].class, new int[][] {{1, 2, 3}})
                  .rdd()
                  .map(chunk -> Files.exists(Path.of(file)) ? other : chunk),
              int[].class);
      Chunks<?> sums = funnel.scan(chunks, Scan.inclusive(Operator.SUM));
      Files.createFile(changed);
      Throwable thrown = assertThrows(SparkException.class, () -> sums.rdd().collect());
      assertInstanceOf(ChunksChangedException.class, thrown.getCause());
      assertTrue(thrown.getMessage().contains("partition 0"), thrown.getMessage());
    }
    Files.deleteIfExists(changed);
    Chunks<int[]> fewer =
        Chunks.of(
            Samples.of(int[].class, new int[][] {{1, 2, 3}})
                .rdd()
                .filter(chunk -> !Files.exists(Path.of(file))),
            int[].class);
    Chunks<?> sums = funnel.scan(fewer, Scan.inclusive(Operator.SUM));
    Files.createFile(changed);
    Throwable thrown = assertThrows(SparkException.class, () -> sums.rdd().collect());
    assertInstanceOf(ChunksChangedException.class, thrown.getCause());
  }

  @Test
  void refusals() {
    Chunks<float[]> chunks = Samples.of(float[].class, List.of(new float[] {1}), 1);
    for (Scan scan :
        List.of(
            Scan.inclusive(Operator.SUM).continuing(),
            Scan.inclusive(Operator.XOR),
            Scan.inclusive(Operator.SUM).to(ElementType.INT))) {
      assertThrows(IllegalArgumentException.class, () -> funnel.scan(chunks, scan));
    }
  }
}
