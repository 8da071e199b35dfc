package funnel.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
    assertEquals("no whole number of INT elements: bytes=7, bytes of an element=4", e.getMessage());
  }

  /** Memory that is not there, and is not read. */
  @Test
  @SuppressWarnings("restricted")
  void positionsAreLongs() throws IOException {
    Source source = Source.of(MemorySegment.NULL.reinterpret(1L << 40), ElementType.DOUBLE);
    assertEquals(1L << 37, source.length());
    MemorySegment piece = source.piece(1L << 33, (1L << 33) + 3_000_000_000L);
    assertEquals(1L << 36, piece.address());
    assertEquals(24_000_000_000L, piece.byteSize());
  }
}
