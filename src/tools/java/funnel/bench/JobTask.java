package funnel.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** The jobs of {@code examples/jobs}. */
enum JobTask {
  /** Groups by key. */
  EVENTS(20_000_000, "events", 8),
  /** Quantiles of a mapped file. */
  LATENCIES(50_000_000, "ints", 4),
  /** A selection, a sort, distinct values, runs. */
  ROWS(20_000_000, "rows", 8),
  /** Random numbers, a mean and its error, a histogram. */
  MONTE_CARLO(20_000_000, "samples", 0),
  /** Words of a text. */
  WORDS(1_000_000_000, "bytes", 1);

  private static final int QUICK = 1000;

  private final int size;
  private final String unit;
  private final int bytes;

  JobTask(int size, String unit, int bytes) {
    this.size = size;
    this.unit = unit;
    this.bytes = bytes;
  }

  /** The unit of the size. */
  String unit() {
    return unit;
  }

  /** How many of these units are read. */
  int bytes() {
    return bytes;
  }

  /** The file of the job's data, if it has one. */
  Path file(Path folder) {
    return folder.resolve(this + ".data");
  }

  /** The default size. */
  int size(boolean isQuick) {
    return isQuick ? size / QUICK : size;
  }

  /**
   * The job over generated data.
   *
   * @param folder the folder for files
   */
  Job job(int length, Path folder) {
    try {
      return switch (this) {
        case EVENTS -> new EventsJob(length);
        case LATENCIES -> new LatenciesJob(length, file(folder));
        case ROWS -> new RowsJob(length);
        case MONTE_CARLO -> new MonteCarloJob(length);
        case WORDS -> new WordsJob(length, file(folder));
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return Named.of(this);
  }
}
