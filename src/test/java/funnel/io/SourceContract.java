package funnel.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.Types;
import funnel.file.Background;
import funnel.operator.ElementType;
import funnel.pieces.Pieces;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every source does. */
abstract class SourceContract {

  /** A source of these elements. */
  abstract Source source(MemorySegment elements, ElementType type) throws IOException;

  static MemorySegment random(String test, long bytes) {
    byte[] random = new byte[(int) bytes];
    SplittableRandom numbers = Seed.random(test);
    numbers.nextBytes(random);
    return MemorySegment.ofArray(random);
  }

  @ParameterizedTest
  @Types
  void everyPieceHasItsElements(ElementType type) throws IOException {
    for (int length : new int[] {0, 1, 9}) {
      MemorySegment elements = random("everyPiece", (long) length * type.bytes());
      Source source = source(elements, type);
      assertEquals(type, source.type());
      assertEquals(length, source.length());
      for (int from = 0; from <= length; from++) {
        for (int to = from; to <= length; to++) {
          long bytes = (long) (to - from) * type.bytes();
          MemorySegment expected = elements.asSlice((long) from * type.bytes(), bytes);
          MemorySegment piece = source.piece(from, to, Arena.ofAuto());
          assertEquals(-1, expected.mismatch(piece), from + " to " + to + Seed.replay());
        }
      }
      source.requireUnchanged();
    }
  }

  @Test
  void rangesOutsideAreRefused() throws IOException {
    Source source = source(random("outside", 20), ElementType.INT);
    long[][] ranges = {{-1, 2}, {3, 2}, {0, 6}, {6, 6}, {1L << 61, 1L << 62}, {0, 1L << 62}};
    for (long[] range : ranges) {
      IndexOutOfBoundsException e =
          assertThrows(
              IndexOutOfBoundsException.class,
              () -> source.piece(range[0], range[1], Arena.ofAuto()));
      assertEquals(
          "range outside %s: from=%s, to=%s, length=5".formatted(source, range[0], range[1]),
          e.getMessage());
    }
  }

  @Test
  void aPieceStaysWhileTheNextIsReadAndIsForAnyThread() throws IOException {
    MemorySegment elements = random("stays", 4000);
    Source source = source(elements, ElementType.BYTE);
    MemorySegment piece = source.piece(0, 2000, Arena.ofAuto());
    MemorySegment next = source.piece(2000, 4000, Arena.ofAuto());
    assertEquals(-1, elements.asSlice(0, 2000).mismatch(piece), Seed.replay());
    assertEquals(-1, elements.asSlice(2000).mismatch(next), Seed.replay());
    assertTrue(piece.isAccessibleBy(new Thread()));
  }

  /** Small pieces are read in the caller's thread, large ones are not. */
  @ParameterizedTest
  @ValueSource(ints = {5, (int) Background.FEW_BYTES})
  void piecesAreAllElementsInOrder(int most) throws IOException {
    for (int length : new int[] {0, 1, most - 1, most, most + 1, 2 * most, 3 * most + 1}) {
      MemorySegment elements = random("inOrder", 4L * length);
      Source source = source(elements, ElementType.INT);
      List<Long> done = new ArrayList<>();
      List<Long> starts = new ArrayList<>();
      new Pieces(source, most, done::add)
          .forEach(
              (piece, from) -> {
                starts.add(from);
                long bytes = Math.min(4L * most, elements.byteSize() - 4 * from);
                assertEquals(-1, elements.asSlice(4 * from, bytes).mismatch(piece), Seed.replay());
              });
      List<Long> expectedStarts = new ArrayList<>();
      List<Long> expectedDone = new ArrayList<>();
      long from = 0;
      do {
        expectedStarts.add(from);
        expectedDone.add(Math.min(most, length - from));
        from += most;
      } while (from < length);
      assertEquals(expectedStarts, starts, "length=" + length);
      assertEquals(expectedDone, done, "length=" + length);
    }
  }
}
