package funnel.cli;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.histogram.Histogram;
import funnel.histogram.KeyOutsideException;
import funnel.io.Pieces;
import funnel.io.Source;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A histogram of a file, piece by piece through one plan. */
final class FileHistogram {

  /* A run's counts are ints, which suffice for any piece; they are added to longs on the host. Counts are
   * exact, so that they do not depend on the pieces' length.
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
   * The plan that counts pieces of a file.
   *
   * @throws IllegalArgumentException if the histogram is not for the file's type, or its method not
   *     for so many bins or for the device
   */
  static Plan plan(Funnel funnel, Pieces pieces, Histogram histogram) {
    return funnel
        .plan("file")
        .input(INPUT, pieces.source().type(), pieces.capacity())
        .add(OUTPUT, histogram, INPUT)
        .build();
  }

  /**
   * Counts a file's elements.
   *
   * @param plan a {@linkplain #plan plan} for the same histogram and pieces
   * @throws KeyInFileException if an element is no key
   * @throws funnel.io.FileChangedException if somebody wrote to the file
   */
  static Counts count(Plan plan, Pieces pieces, Histogram histogram) throws IOException {
    long[] bins = new long[histogram.bins()];
    int[] counts = new int[bins.length];
    long[] outside = new long[OUTSIDE.size()];
    pieces.forEach(
        (piece, from) -> {
          Results results = run(plan, pieces.source(), piece, from, counts);
          Arrays.setAll(bins, bin -> bins[bin] + counts[bin]);
          if (!histogram.isByKeys()) {
            Arrays.setAll(outside, k -> outside[k] + results.getLong(OUTPUT + OUTSIDE.get(k)));
          }
        });
    return new Counts(bins, outside[0], outside[1], outside[2]);
  }

  private static Results run(Plan plan, Source source, MemorySegment piece, long from, int[] counts)
      throws IOException {
    try {
      return plan.run(
          Map.of(INPUT, Elements.of(piece, source.type())), Map.of(OUTPUT, Elements.of(counts)));
    } catch (KeyOutsideException e) {
      source.requireUnchanged();
      throw new KeyInFileException(source, from + e.position(), e.key(), counts.length, e);
    }
  }
}
