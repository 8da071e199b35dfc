package funnel.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Seed;
import funnel.Types;
import funnel.file.Background;
import funnel.operator.ElementType;
import funnel.pieces.PieceWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every sink does. */
abstract class SinkContract {

  /** A sink. */
  abstract Sink sink(ElementType type, long length) throws IOException;

  /** What the sink that was made last has taken, when all of it has been written. */
  abstract MemorySegment written() throws IOException;

  @ParameterizedTest
  @Types
  void takesPiecesInOrder(ElementType type) throws IOException {
    for (int length : new int[] {0, 1, 9}) {
      MemorySegment elements = SourceContract.random("takes", (long) length * type.bytes());
      Sink sink = sink(type, length);
      assertEquals(type, sink.type());
      assertEquals(length, sink.length());
      for (int from = 0; from < length; from += 2) {
        int to = Math.min(from + 2, length);
        sink.write(
            from, elements.asSlice((long) from * type.bytes(), (long) (to - from) * type.bytes()));
        sink.write(to, elements.asSlice(0, 0));
      }
      assertEquals(-1, elements.mismatch(written()), "length=" + length + Seed.replay());
    }
  }

  @Test
  void whatDoesNotFitIsRefused() throws IOException {
    MemorySegment elements = SourceContract.random("refused", 20);
    Sink sink = sink(ElementType.INT, 5);
    for (long from : new long[] {-1, 1, 5, 6, 1L << 32, Long.MAX_VALUE}) {
      IndexOutOfBoundsException e =
          assertThrows(IndexOutOfBoundsException.class, () -> sink.write(from, elements));
      assertEquals(
          "range outside %s: from=%s, to=%s, length=5".formatted(sink, from, from + 5),
          e.getMessage());
    }
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> sink.write(0, elements.asSlice(0, 7)));
    assertEquals(
        "not a whole number of INT elements: bytes=7, bytes per element=4", e.getMessage());
    sink.write(0, elements);
    assertEquals(-1, elements.mismatch(written()), Seed.replay());
  }

  /** Small pieces are written in the caller's thread, large ones are not. */
  @ParameterizedTest
  @ValueSource(ints = {5, (int) Background.FEW_BYTES})
  void aWriterWritesAllPieces(int most) throws IOException {
    for (int length : new int[] {0, 1, most - 1, most, most + 1, 2 * most, 3 * most + 1}) {
      MemorySegment elements = SourceContract.random("writer", 4L * length);
      for (boolean inArrays : new boolean[] {false, true}) {
        Sink sink = sink(ElementType.INT, length);
        try (PieceWriter writer = new PieceWriter(sink, most, inArrays)) {
          for (int from = 0; from < length; from += most) {
            MemorySegment piece = writer.next(Math.min(most, length - from));
            assertEquals(inArrays, piece.heapBase().orElse(null) instanceof int[]);
            piece.copyFrom(elements.asSlice(4L * from, piece.byteSize()));
            writer.write(piece);
          }
        }
        assertEquals(-1, elements.mismatch(written()), "length=" + length + Seed.replay());
      }
    }
  }
}
