package funnel.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SinkTest {

  abstract static class ToMemory extends SinkContract {
    private MemorySegment memory = MemorySegment.NULL;

    abstract MemorySegment memory(ElementType type, int length);

    @Override
    Sink sink(ElementType type, long length) {
      memory = memory(type, (int) length);
      return Sink.of(memory, type);
    }

    @Override
    MemorySegment written() {
      return memory;
    }

    /** As those do who write a part each. */
    @Test
    void takesPiecesInAnyOrder() throws IOException {
      Sink sink = sink(ElementType.INT, 4);
      sink.write(2, MemorySegment.ofArray(new int[] {3, 4}));
      sink.write(0, MemorySegment.ofArray(new int[] {1, 2}));
      assertArrayEquals(new int[] {1, 2, 3, 4}, written().toArray(ValueLayout.JAVA_INT_UNALIGNED));
    }
  }

  @Nested
  class ToArray extends ToMemory {
    @Override
    MemorySegment memory(ElementType type, int length) {
      return switch (type) {
        case BYTE -> MemorySegment.ofArray(new byte[length]);
        case INT -> MemorySegment.ofArray(new int[length]);
        case LONG -> MemorySegment.ofArray(new long[length]);
        case FLOAT -> MemorySegment.ofArray(new float[length]);
        case DOUBLE -> MemorySegment.ofArray(new double[length]);
      };
    }
  }

  @Nested
  class ToSegment extends ToMemory {
    @Override
    MemorySegment memory(ElementType type, int length) {
      return Arena.ofAuto().allocate((long) length * type.bytes(), Long.BYTES);
    }
  }

  @Nested
  class ToFile extends SinkContract {
    private final List<ElementOutput> open = new ArrayList<>();

    @TempDir Path folder;

    private Path path() {
      return folder.resolve("file%s.npy".formatted(open.size()));
    }

    @Override
    Sink sink(ElementType type, long length) throws IOException {
      open.add(ElementOutput.create(path(), type, length));
      return open.getLast();
    }

    @Override
    MemorySegment written() throws IOException {
      open.getLast().commit(false);
      try (ElementFile file = ElementFile.open(Path.of(open.getLast().toString()))) {
        return MemorySegment.ofArray(file.piece(0, file.length()).toArray(ValueLayout.JAVA_BYTE));
      }
    }

    @AfterEach
    void close() throws IOException {
      for (ElementOutput output : open) {
        output.close();
      }
    }

    @Test
    void takesNoPieceTwiceAndLeavesNoneOut() throws IOException {
      Sink sink = sink(ElementType.INT, 4);
      MemorySegment two = MemorySegment.ofArray(new int[] {1, 2});
      sink.write(0, two);
      for (int from : new int[] {0, 1}) {
        IllegalArgumentException e =
            assertThrows(IllegalArgumentException.class, () -> sink.write(from, two));
        assertEquals(
            sink + " takes one piece after the other: from=%s, written=2".formatted(from),
            e.getMessage());
      }
      sink.write(2, two);
      assertArrayEquals(new int[] {1, 2, 1, 2}, written().toArray(ValueLayout.JAVA_INT_UNALIGNED));
    }
  }

  @Test
  void whatIsWrittenCanBeReadAndNeedNotStay(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("x.npy");
    try (Arena arena = Arena.ofConfined();
        ElementOutput output = ElementOutput.create(path, ElementType.INT, 9)) {
      assertEquals(0, output.written(arena).byteSize());
      output.append(MemorySegment.ofArray(new int[] {1, 2}));
      output.append(MemorySegment.ofArray(new int[] {3}));
      MemorySegment written = output.written(arena);
      assertArrayEquals(new int[] {1, 2, 3}, written.toArray(ValueLayout.JAVA_INT));
      assertTrue(written.isReadOnly());
    }
    assertEquals(0, Objects.requireNonNull(folder.toFile().list()).length);
  }

  @Test
  void memoryIsWritableAndHasWholeElements() {
    MemorySegment bytes = MemorySegment.ofArray(new byte[7]);
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> Sink.of(bytes.asReadOnly(), ElementType.BYTE));
    assertEquals("memory is read-only: give a sink memory to write to", e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> Sink.of(bytes, ElementType.INT));
    assertEquals(
        "not a whole number of INT elements: bytes=7, bytes per element=4", e.getMessage());
  }
}
