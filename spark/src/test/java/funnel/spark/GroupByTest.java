package funnel.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.group.Aggregate;
import funnel.operator.Operator;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupByTest {

  private static final Operator LAST_NON_ZERO =
      Operator.ofInt("last non-zero", 0, (a, b) -> b != 0 ? b : a);

  private final FunnelSpark funnel = Cluster.FUNNEL;
  private final Samples samples = new Samples();

  /** All groups: the aggregates of each key, which is in one place. */
  private static Map<Long, List<Number>> all(Groups groups) {
    Map<Long, List<Number>> all = new TreeMap<>();
    for (Object[] columns : groups.rdd().collect()) {
      List<List<Number>> values =
          Arrays.stream(columns).map(column -> Samples.all(List.of(column))).toList();
      for (int i = 0; i < values.getFirst().size(); i++) {
        int row = i;
        List<Number> aggregates =
            values.subList(1, values.size()).stream().map(column -> column.get(row)).toList();
        long key = values.getFirst().get(i).longValue();
        assertTrue(all.put(key, aggregates) == null, "twice: " + key);
      }
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource({"10,1,1", "10,4,3", "100000,3,7", "1000000000,2,1"})
  void integersAreThoseOfOneArray(int keyBound, int partitions, int to) {
    List<int[]> keys = samples.chunks(int[].class, keyBound);
    List<int[]> values = samples.chunks(int[].class, 1 << 30);
    List<long[]> longs = samples.chunks(long[].class, 5);
    Map<Long, List<Number>> expected = new TreeMap<>();
    for (int c = 0; c < keys.size(); c++) {
      for (int i = 0; i < keys.get(c).length; i++) {
        long sum = values.get(c)[i];
        int value = (int) sum;
        long other = longs.get(c)[i];
        expected.merge(
            (long) keys.get(c)[i],
            List.of(1L, sum, value, other, value, other, value),
            (a, b) ->
                List.of(
                    a.get(0).longValue() + 1,
                    a.get(1).longValue() + sum,
                    Math.max(a.get(2).intValue(), value),
                    Math.min(a.get(3).longValue(), other),
                    value != 0 ? value : a.get(4),
                    a.get(5),
                    value));
      }
    }
    Groups groups =
        funnel.groupBy(
            to,
            Samples.of(int[].class, keys, partitions),
            List.of(
                Samples.of(int[].class, values, partitions),
                Samples.of(long[].class, longs, partitions)),
            Aggregate.count(),
            Aggregate.sum(1),
            Aggregate.max(1),
            Aggregate.min(2),
            Aggregate.of(LAST_NON_ZERO, 1),
            Aggregate.first(2),
            Aggregate.last(1));
    assertEquals(to, groups.rdd().getNumPartitions());
    assertEquals(expected, all(groups));
  }

  @Test
  void columnsAreInTheSamePlaces() {
    Chunks<long[]> keys = Samples.of(long[].class, new long[][] {{7, 9}}, new long[][] {{7}, {}});
    Chunks<int[]> column = Samples.of(int[].class, new int[][] {{3, 4}}, new int[][] {{1}, {}});
    Groups groups = funnel.groupBy(1, keys, List.of(column), Aggregate.count(), Aggregate.sum(1));
    assertArrayEquals(new long[] {7, 9}, groups.keys().as(long[].class).rdd().collect().getFirst());
    assertArrayEquals(
        new long[] {2, 1}, groups.aggregate(1).as(long[].class).rdd().collect().getFirst());
    assertArrayEquals(
        new long[] {4, 4}, groups.aggregate(2).as(long[].class).rdd().collect().getFirst());
    assertThrows(IllegalArgumentException.class, () -> groups.aggregate(3));
  }

  @Test
  void floatsDependOnChunksAlone() {
    List<int[]> keys = samples.chunks(int[].class, 10);
    List<float[]> floats = samples.chunks(float[].class, 1000);
    Map<Long, List<Number>> one = null;
    for (int partitions : new int[] {1, 2, 9}) {
      Map<Long, List<Number>> sums =
          all(
              funnel.groupBy(
                  2,
                  Samples.of(int[].class, keys, partitions),
                  List.of(Samples.of(float[].class, floats, partitions)),
                  Aggregate.sum(1)));
      assertEquals(one == null ? sums : one, sums);
      one = sums;
    }
  }

  @Test
  void nothing() {
    Chunks<int[]> none = Samples.of(int[].class, new int[][] {{}}, new int[][] {});
    assertEquals(Map.of(), all(funnel.groupBy(3, none, List.of(), Aggregate.count())));
  }

  /** Aggregates that need more of a chunk than their own value. */
  @Test
  void meansVariancesAndPositions() {
    Chunks<int[]> keys =
        Samples.of(int[].class, new int[][] {{7, 9}, {}, {7}}, new int[][] {{9, 7}});
    Chunks<long[]> column =
        Samples.of(long[].class, new long[][] {{1, 50}, {}, {3}}, new long[][] {{50, 8}});
    for (int partitions : new int[] {1, 3}) {
      Map<Long, List<Number>> all =
          all(
              funnel.groupBy(
                  partitions,
                  keys,
                  List.of(column),
                  Aggregate.mean(1),
                  Aggregate.variance(1),
                  Aggregate.argMax(1),
                  Aggregate.argMin(1)));
      assertEquals(Map.of(7L, List.of(4.0, 26 / 3.0, 4L, 0L), 9L, List.of(50.0, 0.0, 1L, 1L)), all);
    }
  }

  @Test
  void refusals() {
    Chunks<int[]> keys = Samples.of(int[].class, List.of(new int[] {1, 2}, new int[] {3}), 2);
    Chunks<int[]> other = Samples.of(int[].class, List.of(new int[] {1}, new int[] {3}), 2);
    Chunks<int[]> fewer = Samples.of(int[].class, List.of(new int[] {1, 2}, new int[] {3}), 1);
    Chunks<int[]> more = Samples.of(int[].class, new int[][] {{1, 2}, {}}, new int[][] {{3}});
    Chunks<float[]> floats =
        Samples.of(float[].class, List.of(new float[] {1, 2}, new float[] {3}), 2);
    for (Aggregate aggregate :
        List.of(Aggregate.sum(2), Aggregate.mean(2), Aggregate.of(LAST_NON_ZERO, 1))) {
      assertThrows(
          IllegalArgumentException.class,
          () -> funnel.groupBy(1, keys, List.of(floats), aggregate));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> funnel.groupBy(1, floats, List.of(), Aggregate.count()));
    assertThrows(
        IllegalArgumentException.class,
        () -> funnel.groupBy(1, keys, List.of(fewer), Aggregate.sum(1)));
    assertThrows(
        IllegalArgumentException.class,
        () -> funnel.groupBy(0, keys, List.of(), Aggregate.count()));
    for (Chunks<int[]> column : List.of(other, more)) {
      Throwable thrown =
          assertThrows(
              SparkException.class,
              () -> all(funnel.groupBy(1, keys, List.of(column), Aggregate.sum(1))));
      assertInstanceOf(IllegalArgumentException.class, thrown.getCause());
    }
  }
}
