import funnel.group.Aggregate;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.spark.Chunks;
import funnel.spark.FunnelSpark;
import funnel.spark.Groups;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A million sales: total, running total, median, the best sales and totals of shops. */
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
    FunnelSpark funnel = FunnelSpark.on(new JavaSparkContext(session.sparkContext()));
    if (List.of(arguments).contains("--gpus")) {
      funnel = funnel.withGpus(1);
    }
    funnel.check().forEach(check -> System.err.println(check));

    Dataset<Row> sales =
        session
            .range(0, 1_000_000, 1, 8)
            .selectExpr(
                "cast(id % 3 as int) as shop", "cast(id * 7919 % 5000 * 2 as int) as cents");
    Chunks<int[]> cents = funnel.chunks(sales, "cents", 1 << 16).as(int[].class);
    cents.rdd().cache();
    IO.println("total " + funnel.reduce(cents, Reduction.sumAsLong()));
    IO.println("median " + funnel.quantiles(cents, 0.5)[0]);
    IO.println("best " + Arrays.toString(funnel.topK(cents, TopK.largest(3))));
    IO.println("all are multiples of " + funnel.reduce(cents, Reduction.of(GCD)));

    Chunks<?> running = funnel.scan(cents, Scan.inclusive(Operator.SUM).to(ElementType.LONG));
    long[] first = running.as(long[].class).rdd().first();
    IO.println("running total " + Arrays.toString(Arrays.copyOf(first, 4)));

    Chunks<?> shops = funnel.chunks(sales, "shop", 1 << 16);
    Groups totals = funnel.groupBy(1, shops, List.of(cents), Aggregate.count(), Aggregate.sum(1));
    for (Object[] columns : totals.rdd().collect()) {
      IO.println(
          "shops %s: %s sales, %s"
              .formatted(
                  Arrays.toString((int[]) columns[0]),
                  Arrays.toString((long[]) columns[1]),
                  Arrays.toString((long[]) columns[2])));
    }
    session.stop();
  }
}
