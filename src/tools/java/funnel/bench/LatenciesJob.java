package funnel.bench;

import funnel.Funnel;
import funnel.Ints;
import funnel.jobs.Latencies;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** {@link Latencies}, and the same by a sort of all elements. */
final class LatenciesJob extends Job implements QueriedJob {

  private final int length;
  private final Path file;

  LatenciesJob(int length, Path file) throws IOException {
    this.length = length;
    this.file = file;
    Latencies.write(file, length, 1);
  }

  @Override
  public long bytes() {
    return (long) Integer.BYTES * length;
  }

  @Override
  Example byFunnel(Funnel funnel) {
    return new Example(
        () -> Latencies.summary(funnel, file),
        () -> {
          Ints kept = funnel.of(ints()).keep();
          return () -> Latencies.summary(funnel, kept);
        });
  }

  @Override
  Record byLoop() throws IOException {
    return mapped(
        ints -> {
          int[] micros = ints.toArray(ValueLayout.JAVA_INT);
          long sum = 0;
          for (int value : micros) {
            sum += value;
          }
          Arrays.sort(micros);
          return summary(micros, (double) sum / length);
        });
  }

  @Override
  Record byStream() throws IOException {
    return mapped(
        ints -> {
          int[] micros = stream(ints).sorted().toArray();
          IntSummaryStatistics all = stream(ints).summaryStatistics();
          return summary(micros, all.getAverage());
        });
  }

  @Override
  public void load(Connection database) throws SQLException {
    int[] micros = JobSubject.done(this::ints);
    QueriedJob.load(database, "latencies", List.of("micros"), micros);
  }

  private int[] ints() throws IOException {
    return mapped(ints -> ints.toArray(ValueLayout.JAVA_INT));
  }

  @Override
  public Record byQuery(Connection database) throws SQLException {
    String query =
        """
        SELECT quantile_disc(micros, [0.5, 0.99, 0.999]), min(micros), max(micros), avg(micros)
        FROM latencies
        """;
    try (Statement statement = database.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      if (!row.next()) {
        throw new SQLException("no row in: " + query);
      }
      Object[] quantiles = (Object[]) row.getArray(1).getArray();
      return new Latencies.Summary(
          (int) quantiles[0],
          (int) quantiles[1],
          (int) quantiles[2],
          row.getInt(2),
          row.getInt(3),
          row.getDouble(4));
    }
  }

  private IntStream stream(MemorySegment ints) {
    return IntStream.range(0, length).parallel().map(i -> ints.getAtIndex(ValueLayout.JAVA_INT, i));
  }

  private <T> T mapped(Function<MemorySegment, T> job) throws IOException {
    try (FileChannel channel = FileChannel.open(file);
        Arena arena = Arena.ofShared()) {
      return job.apply(channel.map(MapMode.READ_ONLY, 0, channel.size(), arena));
    }
  }

  private Latencies.Summary summary(int[] sorted, double mean) {
    return new Latencies.Summary(
        sorted[rank(0.5)],
        sorted[rank(0.99)],
        sorted[rank(0.999)],
        sorted[0],
        sorted[length - 1],
        mean);
  }

  private int rank(double quantile) {
    return (int) Math.ceil(quantile * length) - 1;
  }
}
