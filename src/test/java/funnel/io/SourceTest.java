package funnel.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceTest {

  @Nested
  class OfArray extends SourceContract {
    @Override
    Source source(MemorySegment elements, ElementType type) {
      return Source.of(
          switch (type) {
            case BYTE -> MemorySegment.ofArray(elements.toArray(ValueLayout.JAVA_BYTE));
            case INT -> MemorySegment.ofArray(elements.toArray(ValueLayout.JAVA_INT_UNALIGNED));
            case LONG -> MemorySegment.ofArray(elements.toArray(ValueLayout.JAVA_LONG_UNALIGNED));
            case FLOAT -> MemorySegment.ofArray(elements.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
            case DOUBLE ->
                MemorySegment.ofArray(elements.toArray(ValueLayout.JAVA_DOUBLE_UNALIGNED));
          },
          type);
    }
  }

  @Nested
  class OfSegment extends SourceContract {
    @Override
    Source source(MemorySegment elements, ElementType type) {
      MemorySegment copy = Arena.ofAuto().allocate(elements.byteSize(), Long.BYTES);
      return Source.of(copy.copyFrom(elements).asReadOnly(), type);
    }
  }

  @Nested
  class Generated extends SourceContract {
    @Override
    Source source(MemorySegment elements, ElementType type) {
      int bytes = type.bytes();
      return Source.generated(
          type,
          elements.byteSize() / bytes,
          (from, piece) -> piece.copyFrom(elements.asSlice(from * bytes, piece.byteSize())));
    }
  }

  /** Of parts of two elements in memory, empty ones, and one that is computed. */
  @Nested
  class Concatenated extends SourceContract {
    @Override
    Source source(MemorySegment elements, ElementType type) {
      MemorySegment none = elements.asSlice(0, 0);
      List<Source> parts = new ArrayList<>(List.of(Source.of(none, type)));
      long two = 2L * type.bytes();
      long at = 0;
      for (; at + 2 * two <= elements.byteSize() && parts.size() < 6; at += two) {
        parts.add(Source.of(elements.asSlice(at, two), type));
        parts.add(Source.of(none, type));
      }
      parts.add(new Generated().source(elements.asSlice(at), type));
      parts.add(Source.of(none, type));
      Source all = Source.concatenated(parts);
      assertTrue(all.toString().startsWith(type + "[0]"), all.toString());
      return all;
    }
  }

  @Test
  void whatIsNoSourceIsRefused() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Source.concatenated(List.of()));
    assertEquals("no source given: an empty one is of memory of no bytes", e.getMessage());
    Source bytes = Source.of(MemorySegment.ofArray(new byte[8]), ElementType.BYTE);
    Source ints = Source.of(MemorySegment.ofArray(new byte[8]), ElementType.INT);
    e =
        assertThrows(
            IllegalArgumentException.class, () -> Source.concatenated(List.of(bytes, ints)));
    assertEquals(
        "sources of one type are one after the other: BYTE[8] has BYTE, INT[2] has INT",
        e.getMessage());
    Source most = Source.generated(ElementType.BYTE, Long.MAX_VALUE - 7, (from, piece) -> {});
    assertThrows(IllegalArgumentException.class, () -> Source.concatenated(List.of(most, bytes)));
    assertThrows(
        IllegalArgumentException.class,
        () -> Source.generated(ElementType.BYTE, -1, (from, piece) -> {}));
    try (Arena mine = Arena.ofConfined()) {
      MemorySegment here = mine.allocate(8);
      e = assertThrows(IllegalArgumentException.class, () -> Source.of(here, ElementType.BYTE));
      assertEquals(
          "memory confined to one thread: other threads read and write pieces too, so take it from"
              + " Arena.ofShared() or ofAuto()",
          e.getMessage());
    }
  }

  abstract static class OfFile extends SourceContract {
    private final List<ElementFile> open = new ArrayList<>();

    @TempDir Path folder;

    abstract ElementFile file(Path path, MemorySegment elements, ElementType type)
        throws IOException;

    @Override
    Source source(MemorySegment elements, ElementType type) throws IOException {
      ElementFile file = file(folder.resolve("file" + open.size()), elements, type);
      open.add(file);
      return file;
    }

    @AfterEach
    void close() {
      open.forEach(ElementFile::close);
    }
  }

  @Nested
  class OfRawFile extends OfFile {
    @Override
    ElementFile file(Path path, MemorySegment elements, ElementType type) throws IOException {
      Files.write(path, elements.toArray(ValueLayout.JAVA_BYTE));
      return ElementFile.openRaw(path, type);
    }
  }

  @Nested
  class OfNpy extends OfFile {
    @Override
    ElementFile file(Path path, MemorySegment elements, ElementType type) throws IOException {
      NpyWriter.write(path, type, elements, elements.byteSize() / type.bytes());
      return ElementFile.open(path);
    }
  }

  @Test
  void memoryHasWholeElements() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Source.of(MemorySegment.ofArray(new byte[7]), ElementType.INT));
    assertEquals(
        "not a whole number of INT elements: bytes=7, bytes per element=4", e.getMessage());
  }

  /** Memory that is not there, and is not read. */
  @Test
  @SuppressWarnings("restricted")
  void positionsAreLongs() throws IOException {
    Source source = Source.of(MemorySegment.NULL.reinterpret(1L << 40), ElementType.DOUBLE);
    assertEquals(1L << 37, source.length());
    MemorySegment piece = source.piece(1L << 33, (1L << 33) + 3_000_000_000L, Arena.ofAuto());
    assertEquals(1L << 36, piece.address());
    assertEquals(24_000_000_000L, piece.byteSize());
  }
}
