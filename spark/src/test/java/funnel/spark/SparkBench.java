package funnel.spark;

import funnel.group.Aggregate;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.functions;
import org.apache.spark.storage.StorageLevel;

/**
 * Sums, running sums and groups of one column, beside Spark SQL's own, over a table in memory; not
 * a test. {@code docs/spark.md} says how to start it: {@code SparkBench ROWS PARTITIONS WHAT RUNS},
 * where WHAT is sum, running or groups. The table is kept outside the executors' heaps where {@code
 * spark.memory.offHeap.enabled} is set.
 */
public final class SparkBench {

  private static final int CHUNK = 1 << 22;

  private SparkBench() {}

  public static void main(String[] arguments) throws IOException {
    long rows = Long.parseLong(arguments[0]);
    int partitions = Integer.parseInt(arguments[1]);
    int runs = Integer.parseInt(arguments[3]);
    SparkConf conf =
        new SparkConf()
            .setIfMissing("spark.master", "local-cluster[2,1,2048]")
            .setIfMissing("spark.executor.memory", "2g")
            .set("spark.ui.enabled", "false")
            .setAppName("SparkBench");
    try (SparkSession session = SparkSession.builder().config(conf).getOrCreate()) {
      FunnelSpark funnel = FunnelSpark.on(new JavaSparkContext(session.sparkContext()));
      boolean outsideHeap = conf.getBoolean("spark.memory.offHeap.enabled", false);
      Dataset<Row> data =
          session
              .range(0, rows, 1, partitions)
              .selectExpr(
                  "id",
                  "cast(id * 2654435761 % 1000 as int) as x",
                  "cast(id * 40503 % 100000 as int) as k")
              .select(arguments[2].equals("groups") ? "k" : "id", "x")
              .persist(outsideHeap ? StorageLevel.OFF_HEAP() : StorageLevel.MEMORY_AND_DISK());
      System.out.println("rows in memory: " + data.count());
      Chunks<int[]> x = funnel.chunks(data, "x", CHUNK).as(int[].class);
      switch (arguments[2]) {
        case "sum" -> {
          time(runs, "SQL sum", () -> data.agg(functions.sum("x")).first().get(0));
          time(runs, "Funnel, columns", () -> funnel.reduce(x, Reduction.sumAsLong()));
        }
        case "running" -> {
          Scan scan = Scan.inclusive(Operator.SUM).to(ElementType.LONG);
          time(
              runs,
              "SQL window",
              () ->
                  data.select(
                          functions
                              .sum("x")
                              .over(
                                  Window.orderBy("id").rowsBetween(Window.unboundedPreceding(), 0))
                              .as("y"))
                      .agg(functions.max("y"))
                      .first()
                      .get(0));
          time(runs, "Funnel, columns", () -> funnel.reduce(funnel.scan(x, scan), Reduction.max()));
        }
        case "groups" -> {
          Chunks<int[]> k = funnel.chunks(data, "k", CHUNK).as(int[].class);
          time(
              runs,
              "SQL groupBy",
              () ->
                  data.groupBy("k")
                      .agg(functions.sum("x").as("s"), functions.count("x"))
                      .agg(functions.max("s"))
                      .first()
                      .get(0));
          time(
              runs,
              "Funnel, columns",
              () ->
                  funnel.reduce(
                      funnel
                          .groupBy(partitions, k, List.of(x), Aggregate.sum(1), Aggregate.count())
                          .aggregate(1),
                      Reduction.max()));
        }
        default -> throw new IllegalArgumentException("sum, running or groups: " + arguments[2]);
      }
    }
  }

  private static void time(int runs, String what, Supplier<Object> work) {
    StringBuilder times = new StringBuilder();
    Object result = "";
    for (int run = 0; run < runs; run++) {
      long start = System.nanoTime();
      result = work.get();
      times.append(" %s".formatted((System.nanoTime() - start) / 1_000_000));
    }
    System.out.println("%-20s %s ms: %s".formatted(what, times, result));
  }
}
