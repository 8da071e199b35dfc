package funnel;

import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.pieces.PieceWriter;
import funnel.select.Select;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.SequencedMap;

/** Elements of a source that are kept, or their positions: those of each piece after the other. */
final class StreamSelect {

  private static final String OUTPUT = "kept";

  private StreamSelect() {}

  /**
   * Selects.
   *
   * @param sources the elements, then flags if they decide
   */
  static long run(PieceRuns runs, SequencedMap<String, Source> sources, Select select, Sink sink)
      throws IOException {
    if (!select.isByElement() || select.hasElements() == select.hasPositions()) {
      throw new IllegalArgumentException(
          "over a source a predicate of the element or flags keep elements, or their positions:"
              + " not %s".formatted(select));
    }
    Source source = sources.firstEntry().getValue();
    ElementType type = select.hasElements() ? source.type() : ElementType.LONG;
    PieceRuns.requireTakes(sink, type, 0);
    runs.requireNotAhead(sources.values(), sink);
    String[] inputs = sources.keySet().toArray(String[]::new);
    return select.hasElements()
        ? elements(runs, sources, select, inputs, sink)
        : positions(runs, sources, select, inputs, sink);
  }

  private static long elements(
      PieceRuns runs,
      SequencedMap<String, Source> sources,
      Operation select,
      String[] inputs,
      Sink sink)
      throws IOException {
    ElementType type = sink.type();
    long[] all = new long[1];
    Source source = sources.firstEntry().getValue();
    boolean isOverlapped = runs.isOverlapped(source);
    int capacity = runs.capacity(source);
    try (PieceWriter writer = new PieceWriter(sink, capacity)) {
      runs.forEach(
          isOverlapped,
          sources,
          plan -> plan.add(OUTPUT, select, inputs),
          (plan, piece) -> {
            if (!isOverlapped) {
              MemorySegment most = writer.next(piece.length(), all[0], piece.elements());
              int count =
                  plan.run(Map.of(), Map.of(OUTPUT, Elements.of(most, type))).length(OUTPUT);
              all[0] += count;
              return most.asSlice(0, (long) count * type.bytes());
            }
            long[] from = new long[1];
            Results results =
                piece.inTurn(
                    () -> {
                      Results run = plan.run();
                      from[0] = all[0];
                      all[0] += run.length(OUTPUT);
                      return run;
                    });
            MemorySegment kept = writer.next(results.length(OUTPUT), from[0], piece.elements());
            results.read(OUTPUT, kept);
            return kept;
          },
          (piece, kept) -> writer.write(kept));
    }
    return all[0];
  }

  private static long positions(
      PieceRuns runs,
      SequencedMap<String, Source> sources,
      Operation select,
      String[] inputs,
      Sink sink)
      throws IOException {
    long[] all = new long[1];
    int capacity = runs.capacity(sources.firstEntry().getValue());
    try (PieceWriter writer = new PieceWriter(sink, capacity)) {
      runs.forEach(
          sources,
          plan -> plan.add(OUTPUT, select, inputs),
          (plan, piece) -> {
            MemorySegment room = writer.next(piece.length());
            Elements found = PieceRuns.intsIn(room);
            int count = plan.run(Map.of(), Map.of(OUTPUT, found)).length(OUTPUT);
            MemorySegment positions = room.asSlice(0, (long) Long.BYTES * count);
            PieceRuns.inSource(found.segment(), piece.from(), positions);
            return positions;
          },
          (piece, positions) -> {
            writer.write(positions);
            all[0] += positions.byteSize() / Long.BYTES;
          });
    }
    return all[0];
  }
}
