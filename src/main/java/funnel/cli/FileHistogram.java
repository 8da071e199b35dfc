package funnel.cli;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.histogram.Histogram;
import funnel.histogram.KeyOutsideException;
import funnel.io.ElementFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** A histogram of a mapped file, chunk by chunk through one plan. */
final class FileHistogram {

  /* A run's counts are ints, which suffice for any chunk; they are added to longs on the host. Counts are
   * exact, so that they do not depend on the chunks' length.
   */

  private static final String INPUT = "x";
  private static final String OUTPUT = "counts";
  private static final List<String> OUTSIDE = List.of("_below", "_above", "_nan");

  private FileHistogram() {}

  /**
   * How many elements are in each bin, and how many are in none.
   *
   * @param bins the counts
   * @param below elements below the first bin
   * @param above elements above the last one
   * @param nan elements that are NaN
   */
  record Counts(long[] bins, long below, long above, long nan) {}

  /**
   * The plan that counts chunks of a file.
   *
   * @throws IllegalArgumentException if the histogram is not for the file's type, or its method not
   *     for so many bins or for the device
   */
  static Plan plan(Funnel funnel, ElementFile file, Histogram histogram, int chunk) {
    return funnel
        .plan("file")
        .input(INPUT, file.type(), FileChunks.capacity(file, chunk))
        .add(OUTPUT, histogram, INPUT)
        .build();
  }

  /**
   * Counts a file's elements.
   *
   * @param plan a {@linkplain #plan plan} for the same histogram and chunks
   * @param chunk elements of a run
   * @param done is told the elements of each run when it is over
   * @throws KeyInFileException if an element is no key
   * @throws funnel.io.FileChangedException if somebody wrote to the file
   */
  static Counts count(
      Plan plan, ElementFile file, Histogram histogram, int chunk, LongConsumer done)
      throws IOException {
    long[] bins = new long[histogram.bins()];
    int[] counts = new int[bins.length];
    long[] outside = new long[OUTSIDE.size()];
    FileChunks.forEach(
        file,
        chunk,
        done,
        (elements, from) -> {
          Results results = run(plan, file, elements, from, counts);
          Arrays.setAll(bins, bin -> bins[bin] + counts[bin]);
          if (!histogram.isByKeys()) {
            Arrays.setAll(outside, k -> outside[k] + results.getLong(OUTPUT + OUTSIDE.get(k)));
          }
        });
    return new Counts(bins, outside[0], outside[1], outside[2]);
  }

  private static Results run(
      Plan plan, ElementFile file, Elements elements, long from, int[] counts) throws IOException {
    try {
      return plan.run(Map.of(INPUT, elements), Map.of(OUTPUT, Elements.of(counts)));
    } catch (KeyOutsideException e) {
      file.requireUnchanged();
      throw new KeyInFileException(file.path(), from + e.position(), e.key(), counts.length, e);
    }
  }
}
