package funnel.cli;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.io.NpyOutput;
import funnel.io.PieceWriter;
import funnel.io.Pieces;
import funnel.io.Sink;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.sort.KeyWords;
import funnel.sort.Order;
import funnel.sort.Sort;
import funnel.transform.Gather;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a file, or their positions, in their order.
 *
 * @param pieces the file
 * @param isDescending whether the largest comes first
 * @param isOrder whether positions are wanted
 */
record FileSort(Funnel funnel, Pieces pieces, boolean isDescending, boolean isOrder) {

  /* Each piece is sorted by one plan and written to a file that is never committed: so it goes when it
   * is closed, or with the JVM. From there the pieces are merged; they are mapped, and the system
   * keeps as much of them in memory as there is. Of an order the positions are in a second file.
   */

  /** Each is read on its own: of more, the system would hold too little of each. */
  static final int MOST_PIECES = 1 << 16;

  private static final String INPUT = "x";
  private static final String ORDER = "order";
  private static final String OUTPUT = "y";

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /**
   * Sorts.
   *
   * @param beside a file in whose folder there is room for sorted pieces
   * @param output takes the elements, or their positions, longs
   * @throws funnel.io.FileChangedException if somebody wrote to the file
   */
  void run(Path beside, Sink output) throws IOException {
    ElementType type = pieces.source().type();
    long length = pieces.source().length();
    if (length <= pieces.capacity()) {
      sortPieces(isOrder ? null : output, isOrder ? output : null);
      return;
    }
    try (Arena arena = Arena.ofShared();
        NpyOutput keys = NpyOutput.create(beside, type, length);
        NpyOutput positions = isOrder ? NpyOutput.create(beside, ElementType.LONG, length) : null) {
      sortPieces(keys, positions);
      MemorySegment sorted = keys.written(arena);
      merge(sorted, positions == null ? sorted : positions.written(arena), output);
    }
  }

  private void sortPieces(@Nullable Sink keys, @Nullable Sink positions) throws IOException {
    int most = pieces.capacity();
    ElementType type = pieces.source().type();
    Operation order = isDescending ? Order.descending() : Order.ascending();
    Operation sort = isDescending ? Sort.descending() : Sort.ascending();
    Plan.Builder builder = funnel.plan("file").input(INPUT, type, most);
    if (positions != null) {
      builder.add(ORDER, order, INPUT);
    }
    if (keys != null && positions != null) {
      builder.add(OUTPUT, Gather.at(), INPUT, ORDER);
    } else if (keys != null) {
      builder.add(OUTPUT, sort, INPUT);
    }
    try (Arena arena = Arena.ofShared();
        Plan plan = builder.build();
        PieceWriter ofKeys = keys == null ? null : new PieceWriter(keys, most);
        PieceWriter ofPositions = positions == null ? null : new PieceWriter(positions, most)) {
      MemorySegment room = arena.allocate(ValueLayout.JAVA_INT, positions == null ? 0 : most);
      pieces.forEach(
          (piece, from) -> {
            Elements elements = Elements.of(piece, type);
            int length = elements.length();
            MemorySegment sorted = ofKeys == null ? piece : ofKeys.next(length);
            MemorySegment found = room.asSlice(0, ofPositions == null ? 0 : 4L * length);
            Map<String, Elements> into = new HashMap<>();
            if (ofKeys != null) {
              into.put(OUTPUT, Elements.of(sorted, type));
            }
            if (ofPositions != null) {
              into.put(ORDER, Elements.of(found, ElementType.INT));
            }
            plan.run(Map.of(INPUT, elements), into);
            if (ofKeys != null) {
              ofKeys.write(sorted);
            }
            if (ofPositions != null) {
              MemorySegment inFile = ofPositions.next(length);
              FileSelect.inFile(found, from, inFile);
              ofPositions.write(inFile);
            }
          });
    }
  }

  /** A sorted piece of which some elements are taken: where the next one is, and its key. */
  private record Rest(long key, long at, long end) implements Comparable<Rest> {
    /** Of equal elements those that come first in the file come first. */
    @Override
    public int compareTo(Rest other) {
      return key != other.key ? Long.compare(key, other.key) : Long.compare(at, other.at);
    }
  }

  private void merge(MemorySegment keys, MemorySegment values, Sink output) throws IOException {
    long length = output.length();
    int bytes = output.type().bytes();
    PriorityQueue<Rest> rests = new PriorityQueue<>();
    for (long at = 0; at < length; at += pieces.capacity()) {
      rests.add(new Rest(key(keys, at), at, Math.min(length, at + pieces.capacity())));
    }
    try (PieceWriter writer = new PieceWriter(output, pieces.capacity())) {
      int count;
      for (long done = 0; done < length; done += count) {
        count = (int) Math.min(pieces.capacity(), length - done);
        MemorySegment piece = writer.next(count);
        for (long i = 0; i < count; i++) {
          Rest rest = rests.remove();
          long next = rest.at + 1;
          MemorySegment.copy(values, rest.at * bytes, piece, i * bytes, bytes);
          if (next < rest.end) {
            rests.add(new Rest(key(keys, next), next, rest.end));
          }
        }
        writer.write(piece);
        pieces.done().accept(count);
      }
    }
  }

  /**
   * A number in whose order an element is. NaN are the largest: in an order all alike, else those
   * without a sign bit before those with one, as {@link Sort} has them.
   */
  private long key(MemorySegment keys, long at) {
    long key =
        switch (pieces.source().type()) {
          case BYTE -> keys.get(ValueLayout.JAVA_BYTE, at) & 0xff;
          case INT -> keys.getAtIndex(INT, at);
          case LONG -> keys.getAtIndex(LONG, at);
          case FLOAT -> {
            int word = KeyWords.word(keys.getAtIndex(INT, at));
            yield isOrder ? KeyWords.merged(word) : word;
          }
          case DOUBLE -> {
            long word = KeyWords.word(keys.getAtIndex(LONG, at));
            yield isOrder ? KeyWords.merged(word) : word;
          }
        };
    return isDescending ? ~key : key;
  }
}
