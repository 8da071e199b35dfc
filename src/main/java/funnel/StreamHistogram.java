package funnel;

import funnel.histogram.Histogram;
import funnel.histogram.KeyOutsideException;
import funnel.histogram.Uncounted;
import funnel.io.Source;
import funnel.io.StreamException;
import funnel.operator.ElementType;
import funnel.pieces.Pieces;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Supplier;

/**
 * The counts of a source, summed over its pieces as longs; or sums of weights, where each piece
 * continues the sums of earlier ones.
 */
final class StreamHistogram {

  private static final String INPUT = "samples";
  private static final String WEIGHTS = "weights";
  private static final String BEFORE = "before";
  private static final String OUTPUT = "counts";

  private final Source source;
  private final Histogram histogram;
  private long below;
  private long above;
  private long nan;

  private StreamHistogram(Source source, Histogram histogram) {
    this.source = source;
    this.histogram = histogram;
  }

  /** Counts samples. */
  static Uncounted run(PieceRuns runs, Source source, Histogram histogram, long[] into)
      throws IOException {
    if (histogram.isWeighted() || histogram.isAccumulating()) {
      throw new IllegalArgumentException(
          "samples are counted into new counters, or weights added up, as of a second source: not"
              + " by %s".formatted(histogram));
    }
    requireCountable(histogram, into.length);
    long[] counts = new long[histogram.counters()];
    StreamHistogram all = new StreamHistogram(source, histogram);
    runs.forEach(
        new LinkedHashMap<>(Map.of(INPUT, source)),
        plan -> plan.add(OUTPUT, histogram, INPUT),
        (plan, piece) -> {
          Results results = all.run(piece, plan::run);
          return new Part(results.array(OUTPUT), results);
        },
        (piece, part) -> {
          all.add(part.numbers());
          if (part.counts() instanceof long[] more) {
            Arrays.setAll(counts, bin -> counts[bin] + more[bin]);
          } else {
            int[] more = (int[]) part.counts();
            Arrays.setAll(counts, bin -> counts[bin] + more[bin]);
          }
        });
    System.arraycopy(counts, 0, into, 0, counts.length);
    return all.uncounted();
  }

  /** Adds up weights. */
  static Uncounted run(
      PieceRuns runs, Source source, Source weights, Histogram histogram, Elements into)
      throws IOException {
    if (!histogram.isWeighted()) {
      throw new IllegalArgumentException(
          "%s takes no weights: call weighted() on it".formatted(histogram));
    }
    requireCountable(histogram, into.length());
    ElementType type = histogram.sumType(weights.type());
    if (into.type() != type || into.segment().isReadOnly()) {
      throw new IllegalArgumentException(
          "sums of %s are of %s, and go to memory that is written: not to %s"
              .formatted(histogram, type, into));
    }
    Elements sums = Elements.allocate(type, histogram.counters());
    Elements more = Elements.allocate(type, histogram.counters()); // if a run fails, sums stay
    Elements place = into.range(0, sums.length());
    if (histogram.isAccumulating()) {
      sums.segment().copyFrom(place.segment());
    }
    SequencedMap<String, Source> sources = new LinkedHashMap<>();
    sources.put(INPUT, source);
    sources.put(WEIGHTS, weights);
    Histogram goingOn = histogram.accumulating();
    StreamHistogram all = new StreamHistogram(source, histogram);
    runs.forEach(
        sources,
        plan ->
            plan.input(BEFORE, type, sums.length()).add(OUTPUT, goingOn, INPUT, WEIGHTS, BEFORE),
        (plan, piece) ->
            piece.inTurn(
                () -> {
                  Results results =
                      all.run(piece, () -> plan.run(Map.of(BEFORE, sums), Map.of(OUTPUT, more)));
                  sums.segment().copyFrom(more.segment());
                  return results;
                }),
        (piece, results) -> all.add(results));
    place.segment().copyFrom(sums.segment());
    return all.uncounted();
  }

  private static void requireCountable(Histogram histogram, int places) {
    if (histogram.channels() > 1) {
      throw new IllegalArgumentException(
          "over a source samples are of one channel, since a piece may end within several: not by"
              + " %s".formatted(histogram));
    }
    if (places < histogram.counters()) {
      throw new IllegalArgumentException(
          "no place for the counters of %s: length=%s, counters=%s"
              .formatted(histogram, places, histogram.counters()));
    }
  }

  /** The results of a piece: its counts, an array, and numbers. */
  private record Part(Object counts, Results numbers) {}

  private Results run(Pieces.Piece piece, Supplier<Results> run) throws IOException {
    try {
      return run.get();
    } catch (KeyOutsideException e) {
      try {
        source.requireUnchanged();
      } catch (IOException changed) {
        throw StreamException.reading(source, piece.from(), piece.to(), changed);
      }
      throw e.after(piece.from());
    }
  }

  private void add(Results piece) {
    if (!histogram.isByKeys()) {
      below += piece.getLong(OUTPUT + "_below");
      above += piece.getLong(OUTPUT + "_above");
      nan += piece.getLong(OUTPUT + "_nan");
    }
  }

  private Uncounted uncounted() {
    return new Uncounted(below, above, nan);
  }
}
