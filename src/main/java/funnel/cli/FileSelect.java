package funnel.cli;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.io.PieceWriter;
import funnel.io.Pieces;
import funnel.io.Sink;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.select.Select;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;

/** A selection from a file, piece by piece through one plan. */
final class FileSelect {

  /* A kernel has its predicate compiled in, and what the user types is not known before: so elements
   * are flagged here, on the JVM, and the engine selects by the flags. For positions it needs no more
   * than these.
   */

  private static final String INPUT = "x";
  private static final String FLAGS = "flags";
  private static final String OUTPUT = "y";
  private static final Transform IS_FLAGGED = Transform.testInt("is flagged", flag -> flag != 0);

  private FileSelect() {}

  /**
   * Selects elements of a file.
   *
   * @param output takes the elements, of their type
   * @throws funnel.io.FileChangedException if somebody wrote to the file
   */
  static void elements(Funnel funnel, Pieces pieces, Where where, Sink output) throws IOException {
    ElementType type = pieces.source().type();
    try (Arena arena = Arena.ofShared();
        Plan plan =
            funnel
                .plan("file")
                .input(INPUT, type, pieces.capacity())
                .input(FLAGS, ElementType.BYTE, pieces.capacity())
                .add(OUTPUT, Select.flagged(), INPUT, FLAGS)
                .build();
        PieceWriter writer = new PieceWriter(output, pieces.capacity())) {
      MemorySegment room = arena.allocate(pieces.capacity());
      pieces.forEach(
          (piece, from) -> {
            Elements elements = Elements.of(piece, type);
            MemorySegment flags = room.asSlice(0, elements.length());
            where.flag(piece, flags);
            MemorySegment kept = writer.next(elements.length());
            int count =
                plan.run(
                        Map.of(INPUT, elements, FLAGS, Elements.of(flags, ElementType.BYTE)),
                        Map.of(OUTPUT, Elements.of(kept, type)))
                    .length(OUTPUT);
            writer.write(kept.asSlice(0, (long) count * type.bytes()));
          });
    }
  }

  /**
   * Selects positions of elements of a file, the first one's 0.
   *
   * @param output takes the positions, longs
   * @throws funnel.io.FileChangedException if somebody wrote to the file
   */
  static void positions(Funnel funnel, Pieces pieces, Where where, Sink output) throws IOException {
    try (Arena arena = Arena.ofShared();
        Plan plan =
            funnel
                .plan("file")
                .input(FLAGS, ElementType.BYTE, pieces.capacity())
                .add(OUTPUT, Select.where(IS_FLAGGED).positions(), FLAGS)
                .build();
        PieceWriter writer = new PieceWriter(output, pieces.capacity())) {
      MemorySegment room = arena.allocate(pieces.capacity());
      MemorySegment found = arena.allocate(ValueLayout.JAVA_INT, pieces.capacity());
      pieces.forEach(
          (piece, from) -> {
            long length = piece.byteSize() / pieces.source().type().bytes();
            MemorySegment flags = room.asSlice(0, length);
            MemorySegment into = found.asSlice(0, length * Integer.BYTES);
            where.flag(piece, flags);
            int count =
                plan.run(
                        Map.of(FLAGS, Elements.of(flags, ElementType.BYTE)),
                        Map.of(OUTPUT, Elements.of(into, ElementType.INT)))
                    .length(OUTPUT);
            MemorySegment positions = writer.next(count);
            inFile(found, from, positions);
            writer.write(positions);
          });
    }
  }

  /** Makes positions in a piece, ints, those in the file, longs. */
  static void inFile(MemorySegment found, long from, MemorySegment positions) {
    long count = positions.byteSize() / Long.BYTES;
    for (long i = 0; i < count; i++) {
      int position = found.getAtIndex(ValueLayout.JAVA_INT, i);
      positions.setAtIndex(ValueLayout.JAVA_LONG, i, from + position);
    }
  }
}
