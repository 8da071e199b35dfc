package funnel;

import funnel.io.Source;
import funnel.operator.ElementType;
import funnel.pieces.Pieces;
import funnel.rank.TopK;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The largest or smallest elements of a source, and their positions. */
final class StreamTop {

  /* The best elements of the pieces before and those of the next piece are the candidates, in this
   * order; the best of them are found as in any array. So of equal elements those that come first
   * in the source stay.
   */

  private static final String INPUT = "source";
  private static final String OUTPUT = "best";
  private static final String POSITIONS = OUTPUT + "_positions";

  private final PieceRuns runs;
  private final ElementType type;
  private final TopK top;
  private Elements best;
  private long[] places = {};

  private StreamTop(PieceRuns runs, ElementType type, TopK top) {
    this.runs = runs;
    this.type = type;
    this.top = top;
    this.best = Elements.allocate(type, 0);
  }

  static Results run(PieceRuns runs, Source source, TopK wanted) throws IOException {
    TopK top = new TopK(wanted.k(), wanted.isLargest(), true, true);
    StreamTop all = new StreamTop(runs, source.type(), top);
    runs.forEach(
        new LinkedHashMap<>(Map.of(INPUT, source)),
        plan -> plan.add(OUTPUT, top, INPUT),
        all::run,
        (piece, part) -> all.add(part));
    Map<String, Elements> arrays = new HashMap<>();
    if (wanted.hasElements()) {
      arrays.put("result", all.best);
    }
    if (wanted.hasPositions()) {
      String name = wanted.hasElements() ? "result_positions" : "result";
      arrays.put(name, Elements.of(all.places));
    }
    return Results.of(Map.of(), arrays);
  }

  /** The best elements of a piece, and their positions. */
  private record Part(Elements best, long[] places) {}

  private Part run(Plan plan, Pieces.Piece piece) {
    int most = Math.min(top.k(), piece.length());
    Elements found = Elements.allocate(type, most);
    int[] at = new int[most];
    int count =
        plan.run(Map.of(), Map.of(OUTPUT, found, POSITIONS, Elements.of(at))).length(OUTPUT);
    long[] of = new long[count];
    Arrays.setAll(of, i -> piece.from() + at[i]);
    return new Part(found.range(0, count), of);
  }

  private void add(Part part) {
    int before = best.length();
    int more = part.best().length();
    Elements candidates = Elements.allocate(type, Math.addExact(before, more));
    MemorySegment.copy(best.segment(), 0, candidates.segment(), 0, best.segment().byteSize());
    candidates.range(before, before + more).segment().copyFrom(part.best().segment());
    long[] of = Arrays.copyOf(places, before + more);
    System.arraycopy(part.places(), 0, of, before, more);
    keep(candidates, of);
  }

  private void keep(Elements candidates, long[] of) {
    if (places.length == 0) {
      best = candidates;
      places = of;
      return;
    }
    int count = Math.min(top.k(), of.length);
    Elements kept = Elements.allocate(type, count);
    int[] at = new int[count];
    int _ =
        runs.onJvm(
            Map.of("candidates", candidates),
            plan -> plan.add(OUTPUT, top, "candidates"),
            Map.of(OUTPUT, kept, POSITIONS, Elements.of(at)),
            results -> results.length(OUTPUT));
    best = kept;
    places = new long[count];
    Arrays.setAll(places, i -> of[at[i]]);
  }
}
