package funnel.bench;

import funnel.Funnel;
import funnel.jobs.Latencies;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.function.Function;
import java.util.stream.IntStream;

/** {@link Latencies}, and the same by sorting all. */
final class LatenciesJob extends Job {

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
  Record byFunnel(Funnel funnel) throws IOException {
    return Latencies.summary(funnel, file);
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

  private IntStream stream(MemorySegment ints) {
    return IntStream.range(0, length).parallel().map(i -> ints.getAtIndex(ValueLayout.JAVA_INT, i));
  }

  private Latencies.Summary mapped(Function<MemorySegment, Latencies.Summary> job)
      throws IOException {
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
