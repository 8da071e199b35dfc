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
import java.util.SplittableRandom;

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
  public static void main(String[] arguments) throws IOException {
    int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 50_000_000;
    Path file = Files.createTempFile("latencies", ".bin");
    try (Funnel funnel = Funnel.open()) {
      write(file, count, 1);
      IO.println(summary(funnel, file));
    } finally {
      Files.delete(file);
    }
  }
}
