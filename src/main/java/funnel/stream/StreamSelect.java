package funnel.stream;

import funnel.Elements;
import funnel.Results;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.pieces.PieceWriter;
import funnel.select.Select;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;

/** The elements of a source that are kept, or their positions, piece by piece. */
public final class StreamSelect {

  private static final String OUTPUT = "kept";

  private StreamSelect() {}

  /**
   * Selects.
   *
   * @param sources the elements, then flags if the selection is by flags
   */
  public static long run(
      PieceRuns runs, SequencedMap<String, Source> sources, Select select, Sink sink)
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
    Map<Long, Long> kept = new ConcurrentHashMap<>(Map.of(0L, 0L)); // before a position
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
              long before = Objects.requireNonNull(kept.get(piece.from()));
              MemorySegment most = writer.next(piece.length(), before, piece.elements());
              int count =
                  plan.run(Map.of(), Map.of(OUTPUT, Elements.of(most, type))).length(OUTPUT);
              kept.put(piece.to(), before + count);
              return most.asSlice(0, (long) count * type.bytes());
            }
            Results results =
                piece.inTurn(
                    () -> {
                      Results run = plan.run();
                      long before = Objects.requireNonNull(kept.get(piece.from()));
                      kept.put(piece.to(), before + run.length(OUTPUT));
                      return run;
                    });
            long before = Objects.requireNonNull(kept.get(piece.from()));
            MemorySegment own = writer.next(results.length(OUTPUT), before, piece.elements());
            results.read(OUTPUT, Elements.of(own, type));
            return own;
          },
          (piece, own) -> writer.write(own));
    }
    return Objects.requireNonNull(kept.get(source.length()));
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
