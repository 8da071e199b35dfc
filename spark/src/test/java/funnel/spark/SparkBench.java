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

/**
 * Sums, running sums and groups of one column, beside Spark SQL's own, over data that is in memory;
 * not a test. {@code docs/spark.md} says how to start it: {@code SparkBench ROWS PARTITIONS WHAT},
 * where WHAT is sum, running or groups.
 */
public final class SparkBench {

  private static final int RUNS = 4;
  private static final int CHUNK = 1 << 22;

  private SparkBench() {}

  public static void main(String[] arguments) throws IOException {
    long rows = Long.parseLong(arguments[0]);
    int partitions = Integer.parseInt(arguments[1]);
    SparkConf conf =
        new SparkConf()
            .setIfMissing("spark.master", "local-cluster[2,1,2048]")
            .setIfMissing("spark.executor.memory", "2g")
            .set("spark.ui.enabled", "false")
            .setAppName("SparkBench");
    try (SparkSession session = SparkSession.builder().config(conf).getOrCreate()) {
      FunnelSpark funnel = FunnelSpark.on(new JavaSparkContext(session.sparkContext()));
      Dataset<Row> data =
          session
              .range(0, rows, 1, partitions)
              .selectExpr(
                  "id",
                  "cast(id * 2654435761 % 1000 as int) as x",
                  "cast(id * 40503 % 100000 as int) as k")
              .cache();
      System.out.println("rows in memory: " + data.count());
      Chunks<int[]> x = funnel.chunks(data, "x", CHUNK).as(int[].class);
      Chunks<int[]> kept = Chunks.of(x.rdd().map(chunk -> chunk).cache(), int[].class);
      switch (arguments[2]) {
        case "sum" -> {
          time("SQL sum", () -> data.agg(functions.sum("x")).first().get(0));
          time("Funnel, columns", () -> funnel.reduce(x, Reduction.sumAsLong()));
          time("Funnel, chunks kept", () -> funnel.reduce(kept, Reduction.sumAsLong()));
        }
        case "running" -> {
          Scan scan = Scan.inclusive(Operator.SUM).to(ElementType.LONG);
          time(
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
          time("Funnel, columns", () -> funnel.reduce(funnel.scan(x, scan), Reduction.max()));
          time(
              "Funnel, chunks kept", () -> funnel.reduce(funnel.scan(kept, scan), Reduction.max()));
        }
        case "groups" -> {
          Chunks<int[]> k = funnel.chunks(data, "k", CHUNK).as(int[].class);
          time(
              "SQL groupBy",
              () ->
                  data.groupBy("k")
                      .agg(functions.sum("x").as("s"), functions.count("x"))
                      .agg(functions.max("s"))
                      .first()
                      .get(0));
          time(
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

  private static void time(String what, Supplier<Object> work) {
    StringBuilder times = new StringBuilder();
    Object result = "";
    for (int run = 0; run < RUNS; run++) {
      long start = System.nanoTime();
      result = work.get();
      times.append(" %d".formatted((System.nanoTime() - start) / 1_000_000));
    }
    System.out.println("%-20s %s ms: %s".formatted(what, times, result));
  }
}
