package funnel.spark;

import static funnel.spark.ColumnAggregate.count;
import static funnel.spark.ColumnAggregate.first;
import static funnel.spark.ColumnAggregate.last;
import static funnel.spark.ColumnAggregate.max;
import static funnel.spark.ColumnAggregate.mean;
import static funnel.spark.ColumnAggregate.min;
import static funnel.spark.ColumnAggregate.sampleVariance;
import static funnel.spark.ColumnAggregate.sum;
import static funnel.spark.ColumnAggregate.variance;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operator.Operator;
import funnel.reduce.Reduction;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.spark.SparkException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data sets in and out, with the names of columns. */
class DatasetTest {

  private static final int ROWS = 10_000;

  /** Combines in order; executors have it from a jar. */
  static int lastNonZero(int left, int right) {
    return right != 0 ? right : left;
  }

  private static int cents(int row) {
    return row * 7919 % 5000 - 1000;
  }

  private static Dataset<Row> sales() {
    return Cluster.session()
        .range(0, ROWS, 1, 4)
        .selectExpr(
            "cast(id % 7 as int) as shop",
            "id % 3 * 3000000000 as region",
            "cast(id * 7919 % 5000 - 1000 as int) as cents",
            "cast(id / 4 as float) as weight",
            "id / 8 as size",
            "date_add(date '2026-01-01', cast(id % 5 as int)) as day",
            "timestamp_micros(id * 1000000) as at",
            "cast(id as string) as name");
  }

  private static String schema(Dataset<Row> dataset) {
    return dataset.schema().toDDL().replace(" NOT NULL", "").replace("`", "");
  }

  private static Row row(Object... values) {
    return RowFactory.create(values);
  }

  /** The definition's example. */
  @Test
  void rowsOfTwoShops() {
    Dataset<Row> sales =
        Cluster.session().sql("values (7, 3), (9, 4), (7, 1) as sales(shop, cents)").coalesce(1);
    assertEquals(8L, FunnelSpark.of(sales).sum("cents"));
    Dataset<Row> shops =
        FunnelSpark.of(sales)
            .groupBy("shop")
            .agg(
                sum("cents").as("total"),
                count(),
                min("cents"),
                max("cents"),
                mean("cents"),
                variance("cents"),
                sampleVariance("cents"),
                first("cents"),
                last("cents"));
    assertEquals(
        "shop INT,total BIGINT,count BIGINT,min(cents) INT,max(cents) INT,mean(cents)"
            + " DOUBLE,variance(cents) DOUBLE,sampleVariance(cents) DOUBLE,first(cents)"
            + " INT,last(cents) INT",
        schema(shops));
    assertEquals(
        List.of(
            row(7, 4L, 2L, 1, 3, 2.0, 1.0, 2.0, 3, 1),
            row(9, 4L, 1L, 4, 4, 4.0, 0.0, Double.NaN, 4, 4)),
        shops.orderBy("shop").collectAsList());
  }

  private static void checkGroups(Dataset<Row> sales) {
    Map<List<Object>, Object[]> expected = new HashMap<>();
    for (int i = 0; i < ROWS; i++) {
      expected.merge(
          List.of(i % 3 * 3_000_000_000L, i % 7),
          new Object[] {cents(i), (long) cents(i), 1L},
          (a, b) ->
              new Object[] {
                Math.max((int) a[0], (int) b[0]), (long) a[1] + (long) b[1], (long) a[2] + 1
              });
    }
    Dataset<Row> groups =
        FunnelSpark.of(sales)
            .withChunksOf(300)
            .groupBy("region", "shop")
            .agg(max("cents"), sum("cents"), count());
    List<Row> rows = groups.collectAsList();
    assertEquals(expected.size(), rows.size());
    for (Row row : rows) {
      Object[] of = expected.get(List.of(row.get(0), row.get(1)));
      assertEquals(row(row.get(0), row.get(1), of[0], of[1], of[2]), row);
    }
    assertTrue(groups.rdd().getNumPartitions() <= 3); // spark.sql.shuffle.partitions
  }

  @Test
  void severalKeys() {
    checkGroups(sales());
  }

  @Test
  void severalKeysOfVectors(@TempDir Path folder) {
    String path = folder.resolve("sales").toString();
    sales().write().parquet(path);
    Dataset<Row> read = Cluster.session().read().parquet(path);
    List<String> order = ColumnChunks.inOrder(read, List.of("region", "shop", "cents", "shop"));
    assertEquals(List.of("shop", "region", "cents"), order);
    assertTrue(
        ColumnChunks.hasVectors(
            read.select(
                order.stream().map(read::col).toArray(org.apache.spark.sql.Column[]::new))));
    checkGroups(read);
  }

  /** Rows whose order is another one whenever they are computed, as after each shuffle. */
  @Test
  void keysStayWithTheirValues() {
    Dataset<Row> shuffled =
        Cluster.session()
            .range(0, ROWS, 1, 5)
            .orderBy(functions.rand())
            .repartition(3)
            .selectExpr("id % 100 as k", "id % 100 * 3 as v");
    List<Row> rows = FunnelSpark.of(shuffled).groupBy("k").agg(min("v"), max("v")).collectAsList();
    assertEquals(100, rows.size());
    for (Row row : rows) {
      assertEquals(row(row.getLong(0), 3 * row.getLong(0), 3 * row.getLong(0)), row);
    }
  }

  @Test
  void datesAndTimestampsKeepTheirTypes() {
    Dataset<Row> days =
        FunnelSpark.of(sales())
            .groupBy("day")
            .agg(max("day").as("same"), min("at"), last("weight"), mean("size"));
    assertEquals(
        "day DATE,same DATE,min(at) TIMESTAMP,last(weight) FLOAT,mean(size) DOUBLE", schema(days));
    List<Row> rows =
        days.selectExpr(
                "string(day) as d",
                "string(same)",
                "unix_micros(`min(at)`)",
                "`last(weight)`",
                "`mean(size)`")
            .orderBy("d")
            .collectAsList();
    for (int i = 0; i < 5; i++) {
      String day = "2026-01-0" + (1 + i);
      double mean = (ROWS / 5 - 1) * 5 / 16.0 + i / 8.0;
      assertEquals(row(day, day, i * 1_000_000L, (ROWS - 5 + i) / 4f, mean), rows.get(i));
    }
    assertEquals(20454 + 4, FunnelSpark.of(sales()).max("day"));
  }

  @Test
  void distinctKeysAndOperatorsOfTheUsers() {
    FunnelDataset sales = FunnelSpark.of(sales());
    assertEquals(7, sales.groupBy("shop").agg().count());
    Operator operator = Operator.ofInt("last non-zero", 0, DatasetTest::lastNonZero);
    Dataset<Row> shops = sales.groupBy("shop").agg(ColumnAggregate.of(operator, "shop").as("last"));
    assertEquals(7, shops.where("shop = last").count());
  }

  @Test
  void valuesOfAllRows() {
    FunnelDataset sales = FunnelSpark.of(sales());
    long sum = 0;
    int max = Integer.MIN_VALUE;
    int min = Integer.MAX_VALUE;
    for (int i = 0; i < ROWS; i++) {
      sum += cents(i);
      max = Math.max(max, cents(i));
      min = Math.min(min, cents(i));
    }
    assertEquals(sum, sales.sum("cents"));
    assertEquals(max, sales.max("cents"));
    assertEquals(min, sales.min("cents"));
    assertEquals(sum / (double) ROWS, sales.mean("cents"));
    assertEquals(ROWS * (ROWS - 1L) / 16.0, sales.sum("size"));
    assertEquals(ROWS * (ROWS - 1L) / 8.0, sales.sum("weight"));
    assertEquals((ROWS - 1) / 4f, sales.max("weight"));
    assertEquals(
        max, FunnelSpark.on(Cluster.session()).reduce(sales.chunks("cents"), Reduction.max()));
  }

  @Test
  void nothing() {
    FunnelDataset none = FunnelSpark.of(sales().where("shop < 0"));
    assertEquals(0, none.groupBy("shop").agg(sum("cents")).count());
    assertEquals(0L, none.sum("cents"));
    assertEquals(0.0, none.sum("size"));
    assertThrows(NoSuchElementException.class, () -> none.max("cents"));
    assertThrows(NoSuchElementException.class, () -> none.mean("cents"));
  }

  @Test
  void chunksAsDataSets() {
    Chunks<int[]> ints = Samples.of(int[].class, new int[][] {{3, 1}, {}}, new int[][] {{4}});
    Dataset<Row> dataset = ints.toDataset("x");
    assertEquals("x INT", schema(dataset));
    assertEquals(List.of(row(3), row(1), row(4)), dataset.collectAsList());
    assertEquals(List.of(row(1), row(3), row(4)), dataset.orderBy("x").collectAsList());
    Chunks<byte[]> bytes = Samples.of(byte[].class, new byte[][] {{-1, 7}});
    assertEquals(List.of(row(255), row(7)), bytes.toDataset("b").collectAsList());
    Chunks<long[]> longs = Samples.of(long[].class, new long[][] {{1L << 40}});
    assertEquals(List.of(row(1L << 40)), longs.toDataset("l").collectAsList());
    Chunks<float[]> floats = Samples.of(float[].class, new float[][] {{0.5f}});
    assertEquals(List.of(row(0.5f)), floats.toDataset("f").collectAsList());
    Chunks<double[]> doubles = Samples.of(double[].class, new double[][] {{0.25}});
    assertEquals(List.of(row(0.25)), doubles.toDataset("d").collectAsList());
  }

  @Test
  void groupsAsDataSets() {
    Chunks<long[]> keys = Samples.of(long[].class, new long[][] {{7, 9}, {7}});
    Chunks<int[]> column = Samples.of(int[].class, new int[][] {{3, 4}, {1}});
    Groups groups = Cluster.FUNNEL.groupBy(2, keys, List.of(column), funnel.group.Aggregate.sum(1));
    Dataset<Row> dataset = groups.toDataset("shop", "total");
    assertEquals("shop BIGINT,total BIGINT", schema(dataset));
    assertEquals(List.of(row(7L, 4L), row(9L, 4L)), dataset.orderBy("shop").collectAsList());
    refused("1 names for 2 columns", () -> groups.toDataset("shop"));
  }

  /** Executors have no type of JUnit's in the methods of this class. */
  private static void refused(String message, Runnable call) {
    Throwable thrown = assertThrows(IllegalArgumentException.class, call::run);
    assertTrue(thrown.getMessage().contains(message), thrown.getMessage());
  }

  @Test
  void refusals() {
    FunnelDataset sales = FunnelSpark.of(sales());
    refused(
        "column centz is missing, or not the only one of this name: the data set has [shop,"
            + " region,",
        () -> sales.sum("centz"));
    refused("column shoe is missing", () -> sales.groupBy("shoe").agg(count()));
    refused("column centz is missing", () -> sales.groupBy("shop").agg(sum("centz")));
    refused("column name is of type string: cast it", () -> sales.max("name"));
    refused("column name is of type string: cast it", () -> sales.groupBy("name").agg(count()));
    refused(
        "groupBy: column weight is of type float, but keys are int, bigint, date or timestamp",
        () -> sales.groupBy("weight").agg(count()));
    refused("sum(day): column day is of type date", () -> sales.sum("day"));
    refused("mean(at): column at is of type timestamp", () -> sales.mean("at"));
    refused("sum(day): column day", () -> sales.groupBy("shop").agg(sum("day")));
    refused("name one of the keys", sales::groupBy);
    refused(
        "two columns of the result are named max(cents)",
        () -> sales.groupBy("shop").agg(max("cents"), max("cents")));
    refused(
        "two columns of the result are named shop",
        () -> sales.groupBy("shop").agg(max("cents").as("shop")));
    refused("rows=0: a chunk has from 1", () -> sales.withChunksOf(0));
    refused("GPUs of a task=3.0", () -> sales.withGpus(3));
    Dataset<Row> holes =
        sales().withColumn("cents", functions.when(functions.col("cents").gt(0), 1));
    Throwable thrown =
        assertThrows(
            SparkException.class,
            () -> FunnelSpark.of(holes).groupBy("shop").agg(sum("cents")).collectAsList());
    assertTrue(thrown.getMessage().contains("column cents has a null"), thrown.getMessage());
  }
}
