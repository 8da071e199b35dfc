package funnel.stream;

import funnel.Elements;
import funnel.Plan;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operator.ElementType;
import funnel.pieces.PieceWriter;
import funnel.pieces.Pieces;
import funnel.select.Runs;
import funnel.select.Unique;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs of equal elements of a source. */
public final class StreamRuns {

  /* The last run of a piece may continue in the next piece. So it is held until the next piece
   * shows that it does not: then it is written before the runs of that piece, whose memory has one
   * more element for it.
   */

  private static final String INPUT = "source";
  private static final String OUTPUT = "runs";
  private static final String LENGTHS = OUTPUT + "_lengths";

  private final ElementType type;
  private final int capacity;
  private final PieceWriter values;
  private final @Nullable PieceWriter counts;
  private final MemorySegment held;
  private long heldCount;
  private long all;

  private StreamRuns(
      ElementType type,
      int capacity,
      PieceWriter values,
      @Nullable PieceWriter counts,
      Arena arena) {
    this.type = type;
    this.capacity = capacity;
    this.values = values;
    this.counts = counts;
    this.held = arena.allocate(type.bytes(), Long.BYTES);
  }

  /**
   * Finds the runs.
   *
   * @param values takes each run's first element
   * @param counts takes the length of each run; or null
   * @return the number of runs
   */
  public static long run(PieceRuns runs, Source source, Sink values, @Nullable Sink counts)
      throws IOException {
    PieceRuns.requireTakes(values, source.type(), 0);
    runs.requireNotAhead(List.of(source), values);
    if (counts != null) {
      PieceRuns.requireTakes(counts, ElementType.LONG, 0);
      runs.requireNotAhead(List.of(source), counts);
      PieceRuns.requireApart(values, counts);
    }
    int capacity = runs.capacity(source);
    int most = Math.addExact(capacity, 1);
    try (Arena arena = Arena.ofShared();
        PieceWriter ofValues = new PieceWriter(values, most);
        PieceWriter ofCounts = counts == null ? null : new PieceWriter(counts, most)) {
      StreamRuns found = new StreamRuns(source.type(), capacity, ofValues, ofCounts, arena);
      runs.forEach(
          new LinkedHashMap<>(Map.of(INPUT, source)),
          plan -> plan.add(OUTPUT, counts == null ? Unique.adjacent() : Runs.encode(), INPUT),
          found::run,
          (piece, part) -> found.add(part));
      found.end();
      return found.all;
    }
  }

  /**
   * The runs of a piece; in both memories there is room for one before them.
   *
   * @param room their elements
   * @param longs the length of each run, if there is a sink for these
   * @param runs the number of runs
   */
  private record Part(MemorySegment room, MemorySegment longs, int runs) {}

  private Part run(Plan plan, Pieces.Piece piece) {
    MemorySegment room = values.next(capacity + 1);
    MemorySegment found = room.asSlice(type.bytes(), piece.elements().getFirst().byteSize());
    Map<String, Elements> into = new HashMap<>(Map.of(OUTPUT, Elements.of(found, type)));
    MemorySegment longs = MemorySegment.NULL;
    if (counts == null) {
      int runs = plan.run(Map.of(), into).length(OUTPUT);
      return new Part(room, longs, runs);
    }
    longs = counts.next(capacity + 1);
    MemorySegment all = longs.asSlice(Long.BYTES, (long) Long.BYTES * piece.length());
    Elements lengths = PieceRuns.intsIn(all);
    into.put(LENGTHS, lengths);
    int runs = plan.run(Map.of(), into).length(OUTPUT);
    PieceRuns.inSource(lengths.segment(), 0, all.asSlice(0, (long) Long.BYTES * runs));
    return new Part(room, longs, runs);
  }

  private void add(Part part) throws IOException {
    int runs = part.runs();
    if (runs == 0) {
      return;
    }
    MemorySegment room = part.room();
    MemorySegment found = room.asSlice(type.bytes());
    boolean goesOn = heldCount > 0 && isHeld(found);
    int first = heldCount > 0 && !goesOn ? 0 : 1;
    if (heldCount > 0) {
      MemorySegment.copy(held, 0, room, (long) first * type.bytes(), type.bytes());
    }
    MemorySegment.copy(room, (long) runs * type.bytes(), held, 0, type.bytes());
    values.write(room.asSlice((long) first * type.bytes(), (long) (runs - first) * type.bytes()));
    all += runs - first;
    heldCount = counts == null ? 1 : count(counts, part.longs(), first, runs, goesOn);
  }

  /** Writes the counts of all runs except the last one, whose count it returns. */
  private long count(PieceWriter writer, MemorySegment longs, int first, int runs, boolean goesOn)
      throws IOException {
    longs.setAtIndex(ValueLayout.JAVA_LONG, 0, heldCount);
    if (goesOn) {
      long more = longs.getAtIndex(ValueLayout.JAVA_LONG, 1) + heldCount;
      longs.setAtIndex(ValueLayout.JAVA_LONG, 1, more);
    }
    long last = longs.getAtIndex(ValueLayout.JAVA_LONG, runs);
    writer.write(longs.asSlice((long) first * Long.BYTES, (long) (runs - first) * Long.BYTES));
    return last;
  }

  /**
   * Whether an element continues the run that is held: boxes are compared, so that all NaN are
   * equal.
   */
  private boolean isHeld(MemorySegment element) {
    return switch (type) {
      case FLOAT ->
          Float.compare(
                  held.get(ValueLayout.JAVA_FLOAT, 0),
                  element.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0))
              == 0;
      case DOUBLE ->
          Double.compare(
                  held.get(ValueLayout.JAVA_DOUBLE, 0),
                  element.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0))
              == 0;
      default -> held.mismatch(element.asSlice(0, type.bytes())) < 0;
    };
  }

  private void end() throws IOException {
    if (heldCount == 0) {
      return;
    }
    MemorySegment last = values.next(1);
    values.write(last.copyFrom(held));
    all++;
    if (counts != null) {
      MemorySegment count = counts.next(1);
      count.set(ValueLayout.JAVA_LONG, 0, heldCount);
      counts.write(count);
    }
  }
}
