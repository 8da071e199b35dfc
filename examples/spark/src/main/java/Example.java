import static funnel.spark.ColumnAggregate.count;
import static funnel.spark.ColumnAggregate.sum;

import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.spark.Chunks;
import funnel.spark.FunnelDataset;
import funnel.spark.FunnelSpark;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A million sales: total, totals of shops, median, the best sales and the running total. */
public class Example {

  private static final Operator GCD = Operator.ofInt("gcd", 0, Example::gcd).commutative();

  static int gcd(int a, int b) {
    while (b != 0) {
      int rest = a % b;
      a = b;
      b = rest;
    }
    return Math.abs(a);
  }

  public static void main(String[] arguments) {
    SparkSession session = SparkSession.builder().appName("Funnel on Spark").getOrCreate();
    Dataset<Row> sales =
        session
            .range(0, 1_000_000, 1, 8)
            .selectExpr(
                "cast(id % 3 as int) as shop", "cast(id * 7919 % 5000 * 2 as int) as cents");
    FunnelDataset columns = FunnelSpark.of(sales);
    FunnelSpark funnel = FunnelSpark.on(session);
    if (List.of(arguments).contains("--gpus")) {
      columns = columns.withGpus(1);
      funnel = funnel.withGpus(1);
    }
    funnel.check().forEach(check -> System.err.println(check));

    IO.println("total " + columns.sum("cents"));
    Dataset<Row> shops = columns.groupBy("shop").agg(count().as("sales"), sum("cents").as("total"));
    for (Row shop : shops.orderBy("shop").collectAsList()) {
      IO.println("shop %s: %s sales, %s".formatted(shop.get(0), shop.get(1), shop.get(2)));
    }

    Chunks<int[]> cents = columns.chunks("cents").as(int[].class);
    cents.rdd().cache();
    IO.println("median " + funnel.quantiles(cents, 0.5)[0]);
    IO.println("best " + Arrays.toString(funnel.topK(cents, TopK.largest(3))));
    IO.println("all are multiples of " + funnel.reduce(cents, Reduction.of(GCD)));

    Chunks<?> running = funnel.scan(cents, Scan.inclusive(Operator.SUM).to(ElementType.LONG));
    long[] first = running.as(long[].class).rdd().first();
    IO.println("running total " + Arrays.toString(Arrays.copyOf(first, 4)));
    session.stop();
  }
}
