package funnel.jobs;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import funnel.Elements;
import funnel.Funnel;
import funnel.Ints;
import funnel.Reading;
import funnel.Value;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Latencies in a file of ints: exact quantiles, minimum, maximum and mean. */
public final class Latencies {

  private static final double USUAL = 2000;
  private static final double SLOW = 50;

  private Latencies() {}

  /** The statistics of latencies. */
  public record Summary(int p50, int p99, int p999, int least, int largest, double mean) {}

  /** The job. */
  public static Summary summary(Funnel funnel, Ints micros) {
    Ints quantiles = micros.quantiles(0, 0.5, 0.99, 0.999, 1);
    Value mean = micros.value(Reduction.mean());
    Reading read = funnel.read(quantiles, mean);
    int[] found = read.get(quantiles);
    return new Summary(found[1], found[2], found[3], found[0], found[4], read.getDouble(mean));
  }

  /** The job over a file. */
  public static Summary summary(Funnel funnel, Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file);
        Arena arena = Arena.ofShared()) {
      MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      return summary(funnel, funnel.ints(Elements.of(mapped, ElementType.INT)));
    }
  }

  /**
   * Writes random latencies from a seed, in microseconds: one in a hundred is much larger than
   * usual.
   */
  public static void write(Path file, int count, long seed) throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE, TRUNCATE_EXISTING, READ, WRITE);
        Arena arena = Arena.ofConfined()) {
      long bytes = (long) count * Integer.BYTES;
      MemorySegment mapped = channel.map(MapMode.READ_WRITE, 0, bytes, arena);
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < count; i++) {
        double usual = -USUAL * Math.log(1 - random.nextDouble());
        double latency = random.nextInt(100) == 0 ? SLOW * usual : usual;
        mapped.setAtIndex(ValueLayout.JAVA_INT, i, (int) latency);
      }
    }
  }

  /** Prints the statistics of the given number of latencies, or of 50 million. */
  public static void main(String[] arguments) {
    Screen.run("Latencies", arguments, 50_000_000, Latencies::print);
  }

  private static void print(Funnel funnel, int count) throws Exception {
    Path file = Files.createTempFile("latencies", ".bin");
    try {
      write(file, count, 1);
      IO.println(
          String.format(
              Locale.ROOT, "%,d latencies in a file: exact quantiles, ends and mean", count));
      Summary found =
          Screen.beside(funnel, () -> summary(funnel, file), () -> sortedByStream(file));
      IO.println(
          String.format(
              Locale.ROOT,
              "p50 %,d us, p99 %,d us, p99.9 %,d us; %,d to %,d us, mean %,.1f us",
              found.p50,
              found.p99,
              found.p999,
              found.least,
              found.largest,
              found.mean));
    } finally {
      Files.delete(file);
    }
  }

  private static int[] sortedByStream(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file);
        Arena arena = Arena.ofConfined()) {
      MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      return IntStream.of(mapped.toArray(ValueLayout.JAVA_INT)).parallel().sorted().toArray();
    }
  }
}
