package funnel;

import funnel.histogram.Histogram;
import funnel.histogram.KeyOutsideException;
import funnel.histogram.Uncounted;
import funnel.io.Source;
import funnel.io.StreamException;
import funnel.pieces.Pieces;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The counts of a source: those of its pieces, added as longs. */
final class StreamHistogram {

  private static final String INPUT = "samples";
  private static final String OUTPUT = "counts";

  private final Source source;
  private final Histogram histogram;
  private final long[] counts;
  private long below;
  private long above;
  private long nan;

  private StreamHistogram(Source source, Histogram histogram) {
    this.source = source;
    this.histogram = histogram;
    this.counts = new long[histogram.counters()];
  }

  static Uncounted run(PieceRuns runs, Source source, Histogram histogram, long[] into)
      throws IOException {
    requireCountable(histogram, into);
    StreamHistogram all = new StreamHistogram(source, histogram);
    runs.forEach(
        new LinkedHashMap<>(Map.of(INPUT, source)),
        plan -> plan.add(OUTPUT, histogram, INPUT),
        all::run,
        (piece, results) -> all.add(results));
    System.arraycopy(all.counts, 0, into, 0, all.counts.length);
    return new Uncounted(all.below, all.above, all.nan);
  }

  private static void requireCountable(Histogram histogram, long[] into) {
    if (histogram.isWeighted() || histogram.isAccumulating() || histogram.channels() > 1) {
      throw new IllegalArgumentException(
          "over a source samples of one channel are counted, without weights, into new counters:"
              + " not by %s".formatted(histogram));
    }
    if (into.length < histogram.counters()) {
      throw new IllegalArgumentException(
          "no place for the counters of %s: length=%d, counters=%d"
              .formatted(histogram, into.length, histogram.counters()));
    }
  }

  /** What a piece has: its counts, an array, and numbers. */
  private record Part(Object counts, Results numbers) {}

  private void add(Part part) {
    if (part.counts() instanceof long[] more) {
      Arrays.setAll(counts, bin -> counts[bin] + more[bin]);
    } else {
      int[] more = (int[]) part.counts();
      Arrays.setAll(counts, bin -> counts[bin] + more[bin]);
    }
    if (!histogram.isByKeys()) {
      below += part.numbers().getLong(OUTPUT + "_below");
      above += part.numbers().getLong(OUTPUT + "_above");
      nan += part.numbers().getLong(OUTPUT + "_nan");
    }
  }

  private Part run(Plan plan, Pieces.Piece piece) throws IOException {
    try {
      Results results = plan.run();
      return new Part(results.array(OUTPUT), results);
    } catch (KeyOutsideException e) {
      try {
        source.requireUnchanged();
      } catch (IOException changed) {
        throw StreamException.reading(source, piece.from(), piece.to(), changed);
      }
      throw e.after(piece.from());
    }
  }
}
