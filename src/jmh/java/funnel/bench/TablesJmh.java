package funnel.bench;

import static funnel.bench.ReduceJmh.require;

import funnel.Funnel;
import funnel.Groups;
import funnel.Ints;
import funnel.Table;
import funnel.histogram.Histogram;
import funnel.operation.Target;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Questions of tables beside DuckDB, which has them in memory and as many threads as the JVM.
 *
 * <p>{@code TablesJmh}, run like {@link ReduceJmh}, with {@code -jvmArgs -Xmx12g}. DuckDB makes a
 * table of the result, Funnel Java arrays.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
public class TablesJmh {

  /** What is asked. */
  public enum Question {
    /** The median of each of 1000 groups. */
    MEDIAN("SELECT a, quantile_disc(c, 0.5) AS r FROM t GROUP BY a ORDER BY a"),
    /** The median of each group of some 16 rows. */
    MEDIANS("SELECT d, quantile_disc(c, 0.5) AS r FROM t GROUP BY d ORDER BY d"),
    /** How many rows fall into each of 64 even bins. */
    HISTOGRAM("SELECT c // 16777216 AS bin, count(*) AS r FROM t GROUP BY bin ORDER BY bin"),
    /** Rows by three keys. */
    SORT("SELECT a, b, c AS r FROM t ORDER BY a, b DESC, c"),
    /** The last row of the same key at or before each time. */
    AS_OF("SELECT t.a, t.c, q.b AS r FROM t ASOF LEFT JOIN q ON t.a = q.a AND t.c >= q.c");

    private final String query;

    Question(String query) {
      this.query = query;
    }
  }

  /** Rows; of an as-of join of each table. */
  @Param({"4194304", "16777216"})
  public int length;

  /** The question. */
  @Param public Question question;

  /** The engine; {@code -f 0 -p target=TORNADO} in a JVM with TornadoVM is a device. */
  @Param("JVM")
  public Target target;

  private Funnel funnel;
  private Connection database;
  private final Ints[] t = new Ints[4];
  private final Ints[] q = new Ints[3];

  private static int[][] columns(int length, int columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] bounds = {1000, 50, 1 << 30, Math.max(1, length / 16)};
    return IntStream.range(0, columns)
        .mapToObj(c -> random.ints(length, 0, bounds[c]).toArray())
        .toArray(int[][]::new);
  }

  /** Makes both tables, and compares the sums of results. */
  @Setup(Level.Trial)
  public void open() throws SQLException {
    funnel = Funnel.open(target);
    database = DriverManager.getConnection("jdbc:duckdb:");
    int[][] of = columns(length, t.length, 1);
    int[][] other = columns(length, q.length, 2);
    QueriedJob.load(database, "t", List.of("a", "b", "c", "d"), of);
    QueriedJob.load(database, "q", List.of("a", "b", "c"), other);
    for (int c = 0; c < t.length; c++) {
      t[c] = funnel.of(of[c]);
    }
    for (int c = 0; c < q.length; c++) {
      q[c] = funnel.of(other[c]);
    }
    int[] result = funnel();
    duckdb();
    try (Statement statement = database.createStatement();
        ResultSet sums =
            statement.executeQuery("SELECT sum((rowid % 97) * coalesce(r, -1)) FROM o")) {
      require(sums.next());
      long sum = 0;
      for (int i = 0; i < result.length; i++) {
        sum += i % 97 * (long) result[i];
      }
      // the rows of a join have no order there
      require(question == Question.AS_OF || sums.getLong(1) == sum);
    }
  }

  /** Closes both. */
  @TearDown(Level.Trial)
  public void close() throws SQLException {
    funnel.close();
    database.close();
  }

  /** By arrays and tables. */
  @Benchmark
  public int[] funnel() {
    Table rows = funnel.table(t);
    return switch (question) {
      case MEDIAN -> both(t[0]);
      case MEDIANS -> both(t[3]);
      case HISTOGRAM -> t[2].histogram(Histogram.even(64, 0L, 1L << 30)).toArray();
      case SORT -> {
        Table sorted =
            rows.sortedBy(Table.ascending(t[0]), Table.descending(t[1]), Table.ascending(t[2]));
        Ints last = sorted.of(t[2]);
        yield funnel.read(sorted.of(t[0]), sorted.of(t[1]), last).get(last);
      }
      case AS_OF -> {
        Table joined = rows.asOfJoin(funnel.table(q), Table.on(t[2], q[2]), Table.on(t[0], q[0]));
        yield joined.fill(q[1], -1).of(q[1]).toArray();
      }
    };
  }

  private int[] both(Ints keys) {
    Groups<Ints> groups = keys.groupBy();
    Ints medians = groups.median(t[2]);
    return funnel.read(groups.keys(), medians).get(medians);
  }

  /** By a query. */
  @Benchmark
  public void duckdb() throws SQLException {
    try (Statement statement = database.createStatement()) {
      var _ = statement.execute("CREATE OR REPLACE TEMP TABLE o AS " + question.query);
    }
  }
}
