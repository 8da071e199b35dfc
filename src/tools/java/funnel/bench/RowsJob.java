package funnel.bench;

import funnel.Funnel;
import funnel.Ints;
import funnel.jobs.Rows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** {@link Rows}, and loops over rows that are packed into longs. */
final class RowsJob extends Job implements QueriedJob {

  /* A customer, a row's index and its amount do not fit into a long. A customer and the index do,
   * and ascend in the order of a stable sort by customers.
   */

  private static final int LARGE = 500;

  private final Rows.Data rows;

  RowsJob(int length) {
    rows = Rows.data(length, 1);
  }

  @Override
  public long bytes() {
    return 8L * rows.amounts().length;
  }

  @Override
  Example byFunnel(Funnel funnel) {
    Ints customers = funnel.of(rows.customers());
    Ints amounts = funnel.of(rows.amounts());
    return new Example(
        () -> Rows.summary(funnel, customers, amounts, Rows.LARGE),
        () -> {
          Ints keptCustomers = customers.keep();
          Ints keptAmounts = amounts.keep();
          return () -> Rows.summary(funnel, keptCustomers, keptAmounts, Rows.LARGE);
        });
  }

  @Override
  Record byLoop() {
    long[] kept = new long[rows.amounts().length];
    int count = 0;
    for (int i = 0; i < kept.length; i++) {
      if (rows.amounts()[i] >= LARGE) {
        kept[count++] = packed(i);
      }
    }
    Arrays.sort(kept, 0, count);
    return summary(Arrays.copyOf(kept, count));
  }

  @Override
  Record byStream() {
    return summary(
        IntStream.range(0, rows.amounts().length)
            .parallel()
            .filter(i -> rows.amounts()[i] >= LARGE)
            .mapToLong(this::packed)
            .sorted()
            .toArray());
  }

  @Override
  public void load(Connection database) throws SQLException {
    QueriedJob.load(
        database, "purchases", List.of("customer", "amount"), rows.customers(), rows.amounts());
  }

  /** A row's id is its index. */
  @Override
  public Record byQuery(Connection database) throws SQLException {
    String query =
        """
        SELECT customer, arg_min(amount, rowid), count(*)
        FROM purchases WHERE amount >= %s GROUP BY customer ORDER BY customer
        """;
    try (Statement statement = database.createStatement();
        ResultSet groups = statement.executeQuery(query.formatted(LARGE))) {
      int[] customers = new int[rows.amounts().length];
      int[] first = new int[customers.length];
      int[] counts = new int[customers.length];
      int found = 0;
      for (; groups.next(); found++) {
        customers[found] = groups.getInt(1);
        first[found] = groups.getInt(2);
        counts[found] = groups.getInt(3);
      }
      return summary(customers, first, counts, found);
    }
  }

  private static Rows.Summary summary(int[] customers, int[] first, int[] counts, int found) {
    return new Rows.Summary(
        Arrays.copyOf(customers, found), Arrays.copyOf(first, found), Arrays.copyOf(counts, found));
  }

  private long packed(int i) {
    return (long) rows.customers()[i] << Integer.SIZE | i;
  }

  private Rows.Summary summary(long[] sorted) {
    int[] customers = new int[sorted.length];
    int[] first = new int[sorted.length];
    int[] counts = new int[sorted.length];
    int runs = 0;
    for (long row : sorted) {
      int customer = (int) (row >>> Integer.SIZE);
      if (runs == 0 || customers[runs - 1] != customer) {
        customers[runs] = customer;
        first[runs++] = rows.amounts()[(int) row];
      }
      counts[runs - 1]++;
    }
    return summary(customers, first, counts, runs);
  }
}
