package funnel.docs;

import funnel.io.Sink;
import funnel.io.Source;
import funnel.pieces.PieceWriter;
import funnel.pieces.Pieces;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The examples of the loop over pieces. */
final class PieceSnippets {

  private PieceSnippets() {}

  // @start region="pieces"
  /** Twice each int: of 1, 2, 3 it is 2, 4, 6. Both source and sink may be larger than memory. */
  static void twice(Source ints, Sink twice) throws IOException {
    Pieces pieces = new Pieces(ints, 1 << 24, done -> {});
    try (PieceWriter writer = new PieceWriter(twice, pieces.capacity())) {
      pieces.forEach(
          (piece, from) -> {
            int length = (int) (piece.byteSize() / Integer.BYTES);
            MemorySegment next = writer.next(length);
            for (int i = 0; i < length; i++) {
              int x = piece.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
              next.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i, 2 * x);
            }
            writer.write(next);
          });
    }
  }

  // @end
}
