package funnel.cli;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.histogram.Histogram;
import funnel.histogram.KeyOutsideException;
import funnel.io.ElementFile;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongConsumer;

/** A histogram of a mapped file, chunk by chunk through one plan. */
final class FileHistogram {

  /* A chunk is what one run of the plan takes: it bounds the device's memory, not the file. A run's
   * counts are ints, which suffice for any chunk; they are added to longs on the host. Counts are
   * exact, so that they do not depend on the chunks' length.
   */

  private static final String INPUT = "x";
  private static final String OUTPUT = "counts";

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
    int capacity = (int) Math.min(chunk, Math.max(1, file.length()));
    return funnel
        .plan("file")
        .input(INPUT, file.type(), capacity)
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
    long below = 0;
    long above = 0;
    long nan = 0;
    long from = 0;
    try {
      while (from < file.length()) {
        int length = (int) Math.min(chunk, file.length() - from);
        Elements elements = Elements.of(file.chunk(from, from + length), file.type());
        Results results = plan.run(Map.of(INPUT, elements), Map.of(OUTPUT, Elements.of(counts)));
        for (int bin = 0; bin < bins.length; bin++) {
          bins[bin] += counts[bin];
        }
        if (!histogram.isByKeys()) {
          below += results.getLong(OUTPUT + "_below");
          above += results.getLong(OUTPUT + "_above");
          nan += results.getLong(OUTPUT + "_nan");
        }
        from += length;
        done.accept(length);
      }
    } catch (KeyOutsideException e) {
      file.requireUnchanged();
      throw new KeyInFileException(file.path(), from + e.position(), e.key(), bins.length, e);
    } catch (InternalError e) {
      /* a page of the mapping is gone: somebody cut the file off */
      file.requireUnchanged();
      throw e;
    }
    file.requireUnchanged();
    return new Counts(bins, below, above, nan);
  }
}
