package funnel.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChunksTest {

  private final FunnelSpark funnel = Cluster.FUNNEL;

  /** 10,000 rows in two partitions. */
  private static Dataset<Row> numbers() {
    return Cluster.session()
        .range(0, 10_000, 1, 2)
        .selectExpr(
            "id as l",
            "cast(id * 3 as int) as i",
            "cast(id / 4 as float) as f",
            "id / 8 as d",
            "date_add(date '1970-01-01', cast(id as int)) as t",
            "cast(id as string) as s");
  }

  private void check(Dataset<Row> dataset) {
    List<int[]> ints = funnel.chunks(dataset, "i", 4096).as(int[].class).rdd().collect();
    assertEquals(List.of(4096, 904, 4096, 904), ints.stream().map(c -> c.length).toList());
    List<long[]> longs = funnel.chunks(dataset, "l", 5000).as(long[].class).rdd().collect();
    assertEquals(List.of(5000, 5000), longs.stream().map(c -> c.length).toList());
    List<float[]> floats = funnel.chunks(dataset, "f", 1).as(float[].class).rdd().collect();
    List<double[]> doubles =
        funnel.chunks(dataset, "d", Integer.MAX_VALUE - 8).as(double[].class).rdd().collect();
    List<int[]> dates = funnel.chunks(dataset, "t", 100_000).as(int[].class).rdd().collect();
    assertEquals(10_000, floats.size());
    assertEquals(2, doubles.size());
    for (int i = 0; i < 10_000; i++) {
      int half = i / 5000;
      int place = i % 5000;
      assertEquals(3 * i, ints.get(2 * half + place / 4096)[place % 4096]);
      assertEquals(i, longs.get(half)[place]);
      assertArrayEquals(new float[] {i / 4f}, floats.get(i));
      assertEquals(i / 8d, doubles.get(half)[place]);
      assertEquals(i, dates.get(half)[place]);
    }
  }

  @Test
  void columnsOfRows() {
    check(numbers());
  }

  @Test
  void columnsOfVectors(@TempDir Path folder) {
    String path = folder.resolve("numbers").toString();
    numbers().write().parquet(path);
    Dataset<Row> read = Cluster.session().read().parquet(path);
    assertTrue(ColumnChunks.hasVectors(read.select("i")));
    check(read);
  }

  @Test
  void columnsOfWhatIsCached() {
    Dataset<Row> kept = numbers().select("l", "i").cache(); // Spark has no vectors beside strings
    assertTrue(ColumnChunks.hasVectors(kept.select("i")));
    List<int[]> ints = funnel.chunks(kept, "i", 20_000).as(int[].class).rdd().collect();
    for (int i = 0; i < 10_000; i++) {
      assertEquals(3 * i, ints.get(i / 5000)[i % 5000]);
    }
    kept.unpersist();
  }

  @Test
  void columnsOfNothing() {
    assertEquals(0, funnel.chunks(numbers().where("l < 0"), "i", 10).rdd().collect().size());
  }

  @Test
  void refusals() {
    Dataset<Row> numbers = numbers();
    assertThrows(IllegalArgumentException.class, () -> funnel.chunks(numbers, "s", 10));
    assertThrows(IllegalArgumentException.class, () -> funnel.chunks(numbers, "i", 0));
    assertThrows(
        IllegalArgumentException.class, () -> funnel.chunks(numbers, "i", 5).as(long[].class));
    Dataset<Row> holes =
        numbers.withColumn("i", functions.when(functions.col("i").gt(100), functions.col("i")));
    Throwable thrown =
        assertThrows(SparkException.class, () -> funnel.chunks(holes, "i", 1000).rdd().collect());
    assertTrue(thrown.getMessage().contains("column i has a null"), thrown.getMessage());
  }
}
