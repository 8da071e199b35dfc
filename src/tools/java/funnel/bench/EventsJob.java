package funnel.bench;

import funnel.Funnel;
import funnel.Ints;
import funnel.jobs.Events;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** {@link Events}, and the same in arrays and maps by key. */
final class EventsJob extends Job implements QueriedJob {

  private static final int KEYS = 1000;
  private static final int TOP = 10;

  private final Events.Data events;

  EventsJob(int length) {
    events = Events.data(length, 1);
  }

  @Override
  public long bytes() {
    return 8L * events.keys().length;
  }

  @Override
  Example byFunnel(Funnel funnel) {
    Ints keys = funnel.of(events.keys());
    Ints values = funnel.of(events.values());
    return new Example(
        () -> Events.summary(funnel, keys, values),
        () -> {
          Ints keptKeys = keys.keep();
          Ints keptValues = values.keep();
          return () -> Events.summary(funnel, keptKeys, keptValues);
        });
  }

  @Override
  Record byLoop() {
    int[] counts = new int[KEYS];
    long[] sums = new long[KEYS];
    int[] least = new int[KEYS];
    int[] largest = new int[KEYS];
    Arrays.fill(least, Integer.MAX_VALUE);
    Arrays.fill(largest, Integer.MIN_VALUE);
    for (int i = 0; i < events.keys().length; i++) {
      int key = events.keys()[i];
      int value = events.values()[i];
      counts[key]++;
      sums[key] += value;
      least[key] = Math.min(least[key], value);
      largest[key] = Math.max(largest[key], value);
    }
    Map<Integer, IntSummaryStatistics> byKey = new TreeMap<>();
    for (int key = 0; key < KEYS; key++) {
      if (counts[key] > 0) {
        byKey.put(key, new IntSummaryStatistics(counts[key], least[key], largest[key], sums[key]));
      }
    }
    return summary(byKey);
  }

  @Override
  Record byStream() {
    return summary(
        IntStream.range(0, events.keys().length)
            .parallel()
            .boxed()
            .collect(
                Collectors.groupingBy(
                    i -> events.keys()[i],
                    TreeMap::new,
                    Collectors.summarizingInt(i -> events.values()[i]))));
  }

  @Override
  public void load(Connection database) throws SQLException {
    QueriedJob.load(database, "events", List.of("key", "value"), events.keys(), events.values());
  }

  /** DuckDB's sums of ints have a larger type. */
  @Override
  public Record byQuery(Connection database) throws SQLException {
    String query =
        """
        SELECT key, count(*), sum(value)::BIGINT, min(value), max(value), avg(value),
          row_number() OVER (ORDER BY sum(value) DESC, key)
        FROM events GROUP BY key ORDER BY key
        """;
    try (Statement statement = database.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      int[] keys = new int[KEYS];
      int[] counts = new int[KEYS];
      long[] sums = new long[KEYS];
      int[] least = new int[KEYS];
      int[] largest = new int[KEYS];
      double[] means = new double[KEYS];
      int[] byRank = new int[KEYS];
      int groups = 0;
      for (; rows.next(); groups++) {
        keys[groups] = rows.getInt(1);
        counts[groups] = rows.getInt(2);
        sums[groups] = rows.getLong(3);
        least[groups] = rows.getInt(4);
        largest[groups] = rows.getInt(5);
        means[groups] = rows.getDouble(6);
        byRank[rows.getInt(7) - 1] = keys[groups];
      }
      return new Events.Summary(
          Arrays.copyOf(keys, groups),
          Arrays.copyOf(counts, groups),
          Arrays.copyOf(sums, groups),
          Arrays.copyOf(least, groups),
          Arrays.copyOf(largest, groups),
          Arrays.copyOf(means, groups),
          Arrays.copyOf(byRank, Math.min(groups, TOP)));
    }
  }

  private static Events.Summary summary(Map<Integer, IntSummaryStatistics> byKey) {
    List<IntSummaryStatistics> groups = List.copyOf(byKey.values());
    Comparator<Map.Entry<Integer, IntSummaryStatistics>> largest =
        Comparator.comparingLong(group -> -group.getValue().getSum());
    return new Events.Summary(
        byKey.keySet().stream().mapToInt(key -> key).toArray(),
        groups.stream().mapToInt(group -> (int) group.getCount()).toArray(),
        groups.stream().mapToLong(IntSummaryStatistics::getSum).toArray(),
        groups.stream().mapToInt(IntSummaryStatistics::getMin).toArray(),
        groups.stream().mapToInt(IntSummaryStatistics::getMax).toArray(),
        groups.stream().mapToDouble(IntSummaryStatistics::getAverage).toArray(),
        byKey.entrySet().stream().sorted(largest).limit(TOP).mapToInt(Map.Entry::getKey).toArray());
  }
}
