package funnel.stream;

import funnel.Elements;
import funnel.Plan;
import funnel.io.ElementOutput;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.jit.ArrayPool;
import funnel.jit.VectorSorts;
import funnel.operation.Operation;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import funnel.pieces.PieceWriter;
import funnel.pieces.Pieces;
import funnel.sort.Order;
import funnel.sort.Sort;
import funnel.transform.Gather;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the elements of a source, or their positions: an external merge sort.
 *
 * @param scratch a folder for sorted pieces
 * @param isDescending whether the largest comes first
 * @param isOrder whether to sort positions
 */
public record StreamSort(
    PieceRuns runs, Source source, Path scratch, boolean isDescending, boolean isOrder) {

  /* A plan sorts each piece, which is written to a file that is never committed: so the file is
   * deleted when it is closed, or when the JVM ends. The pieces are merged from there; they are
   * mapped, since all of them are read at a time, and the system keeps as much of them in memory as
   * fits. Nobody else knows the hidden file. For an order, the positions are in a second file. All
   * cores merge, each a part of a piece of the result.
   *
   * Where the JDK sorts with vectors, on one core, a source of one piece is sorted in as many parts
   * as there are cores, each read and sorted by a thread of its own. Their merge writes small pieces
   * of the result, so that no memory for all of it is needed: new memory takes longer than a merge.
   */

  /** Pieces are read separately: with more of them, the system would hold too little of each. */
  static final int MOST_PIECES = 1 << 16;

  /** The number of merged elements for which another thread pays off. */
  private static final int LEAST_PART = 1 << 16;

  /**
   * The number of merged elements for each piece for which another thread pays off: a thread finds
   * its place in all pieces.
   */
  private static final int PART_OF_RUN = 64;

  /** The number of elements from which parts pay off. */
  private static final int MANY = 1 << 20;

  /** The number of merged elements that are written at a time. */
  private static final int MERGED = 1 << 20;

  private static final String INPUT = "source";
  private static final String ORDER = "order";
  private static final String OUTPUT = "sorted";

  public static StreamSort of(PieceRuns runs, Source source, Path scratch, Sort sort) {
    return of(runs, source, scratch, sort, Sort.ascending(), Sort.descending());
  }

  public static StreamSort of(PieceRuns runs, Source source, Path scratch, Order order) {
    return of(runs, source, scratch, order, Order.ascending(), Order.descending());
  }

  private static StreamSort of(
      PieceRuns runs,
      Source source,
      Path scratch,
      Operation wanted,
      Operation ascending,
      Operation descending) {
    if (!wanted.equals(ascending) && !wanted.equals(descending)) {
      throw new IllegalArgumentException(
          "over a source there are %s and %s: not %s".formatted(ascending, descending, wanted));
    }
    return new StreamSort(
        runs, source, scratch, wanted.equals(descending), wanted instanceof Order);
  }

  /** Sorts. */
  public void run(Sink sink) throws IOException {
    ElementType type = source.type();
    long length = source.length();
    PieceRuns.requireTakes(sink, isOrder ? ElementType.LONG : type, length);
    if (isInParts()) {
      sortParts(sink);
      return;
    }
    if (runs.isOnePiece(source)) {
      sortPieces(isOrder ? null : sink, isOrder ? sink : null);
      return;
    }
    long pieces = Math.ceilDiv(length, (long) runs.capacity(source));
    if (pieces > MOST_PIECES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "at most %,d sorted pieces are merged, and %s has %,d of %,d elements: take longer"
                  + " ones",
              MOST_PIECES,
              source,
              pieces,
              runs.capacity(source)));
    }
    try (Arena arena = Arena.ofShared();
        ElementOutput keys =
            ElementOutput.createTemporary(scratch.resolve("sorted-pieces"), type, length);
        ElementOutput positions =
            isOrder
                ? ElementOutput.createTemporary(
                    scratch.resolve("order-of-pieces"), ElementType.LONG, length)
                : null) {
      sortPieces(keys, positions);
      MemorySegment sorted = keys.written(arena);
      long run = (long) runs.capacity(source) * type.bytes();
      List<MemorySegment> each =
          LongStream.iterate(0, at -> at < sorted.byteSize(), at -> at + run)
              .mapToObj(at -> sorted.asSlice(at, Math.min(run, sorted.byteSize() - at)))
              .toList();
      MemorySegment ordered = positions == null ? null : positions.written(arena);
      merge(each, false, runs.capacity(source), ordered, sink);
    }
  }

  private boolean isInParts() {
    int cores = ParallelRows.cores();
    return runs.isOnJvm()
        && runs.isOnePiece(source)
        && !isOrder
        && source.type().bytes() >= Integer.BYTES
        && source.length() >= MANY
        && cores > 1
        && VectorSorts.pay(cores);
  }

  private void sortParts(Sink sink) throws IOException {
    var _ = VectorSorts.prepare(source.type());
    int cores = ParallelRows.cores();
    List<MemorySegment> parts = new ArrayList<>();
    new Pieces(source.copied(), (int) Math.ceilDiv(source.length(), (long) cores), _ -> {})
        .forEach(
            Collections.nCopies(cores, new PartSorter(source.type(), isDescending)),
            (_, sorted) -> parts.add(sorted));
    merge(parts, true, MERGED, null, sink);
    parts.forEach(ArrayPool::giveBack);
  }

  private record PartSorter(ElementType type, boolean isDescending)
      implements Pieces.Worker<MemorySegment> {
    @Override
    public void ahead(Pieces.Piece piece) {}

    @Override
    public MemorySegment run(Pieces.Piece piece) {
      return SortedRuns.sortedKeys(piece.elements().getFirst(), type, isDescending);
    }

    @Override
    public int turns() {
      return 1;
    }
  }

  /** A sorted piece; a part that has no destination is empty. */
  private record Sorted(MemorySegment elements, MemorySegment positions) {}

  private void sortPieces(@Nullable Sink keys, @Nullable Sink positions) throws IOException {
    int most = runs.capacity(source);
    ElementType type = source.type();
    Operation order = isDescending ? Order.descending() : Order.ascending();
    Operation sort = isDescending ? Sort.descending() : Sort.ascending();
    try (PieceWriter ofKeys = keys == null ? null : new PieceWriter(keys, most, runs.isOnJvm());
        PieceWriter ofPositions = positions == null ? null : new PieceWriter(positions, most)) {
      runs.forEach(
          new LinkedHashMap<>(Map.of(INPUT, source)),
          plan -> {
            if (positions == null) {
              return plan.add(OUTPUT, sort, INPUT);
            }
            Plan.Builder ordered = plan.add(ORDER, order, INPUT);
            return keys == null ? ordered : ordered.add(OUTPUT, Gather.at(), INPUT, ORDER);
          },
          (plan, piece) -> {
            int length = piece.length();
            MemorySegment sorted = ofKeys == null ? MemorySegment.NULL : ofKeys.next(length);
            MemorySegment at = ofPositions == null ? MemorySegment.NULL : ofPositions.next(length);
            Elements found = PieceRuns.intsIn(at);
            Map<String, Elements> into = new HashMap<>();
            if (ofKeys != null) {
              into.put(OUTPUT, Elements.of(sorted, type));
            }
            if (ofPositions != null) {
              into.put(ORDER, found);
            }
            plan.run(Map.of(), into);
            PieceRuns.inSource(found.segment(), piece.from(), at);
            return new Sorted(sorted, at);
          },
          (piece, sorted) -> {
            if (ofKeys != null) {
              ofKeys.write(sorted.elements());
            }
            if (ofPositions != null) {
              ofPositions.write(sorted.positions());
            }
          });
    }
  }

  /** Merges the elements of some runs, or their keys, in pieces of the result. */
  private void merge(
      List<MemorySegment> keys,
      boolean areKeys,
      int capacity,
      @Nullable MemorySegment positions,
      Sink sink)
      throws IOException {
    long least = Math.max(LEAST_PART, PART_OF_RUN * keys.size());
    List<MemorySegment> read = new ArrayList<>(keys);
    if (positions != null) {
      read.add(positions);
    }
    SortedRuns continued = null;
    try (PieceWriter writer = new PieceWriter(sink, capacity)) {
      int count;
      for (long done = 0; done < source.length(); done += count) {
        count = (int) Math.min(capacity, source.length() - done);
        MemorySegment piece = writer.next(count, done, read);
        int parts = Math.clamp(count / least, 1, ParallelRows.cores());
        if (parts == 1 && continued == null) {
          continued = merged(keys, areKeys, done);
        }
        SortedRuns only = continued;
        long before = done;
        long all = count;
        ParallelRows.deal(
            parts,
            part -> {
              long from = all * part / parts;
              long to = all * (part + 1) / parts;
              SortedRuns sorted = only == null ? merged(keys, areKeys, before + from) : only;
              if (positions == null) {
                sorted.elements(piece, from, to);
              } else {
                sorted.longs(positions, piece, from, to);
              }
            });
        writer.write(piece);
        runs.done(count);
      }
    }
  }

  private SortedRuns merged(List<MemorySegment> keys, boolean areKeys, long before) {
    return SortedRuns.of(keys, source.type(), areKeys, isDescending, isOrder, before);
  }
}
