package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Funnel;
import funnel.io.ElementFile;
import funnel.io.NpyWriter;
import funnel.io.Source;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The examples of streams do what they say. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StreamSnippetsTest {

  @TempDir Path folder;

  private final Funnel funnel = Funnel.open(Target.JVM);

  @AfterAll
  void close() {
    funnel.close();
  }

  private Path floats(String name, float... elements) throws IOException {
    Path path = folder.resolve(name);
    NpyWriter.write(path, ElementType.FLOAT, MemorySegment.ofArray(elements), elements.length);
    return path;
  }

  @Test
  void stream() throws IOException {
    assertEquals(
        "3.5 in all, from -1.0 to 4.0, of which 2 below 2",
        StreamSnippets.describe(funnel, floats("x.npy", -1, 4, 0.5f)));
  }

  @Test
  void source() throws IOException {
    assertEquals(10, StreamSnippets.sumBelow(funnel, 5));
    assertEquals(
        4f,
        StreamSnippets.largest(
            funnel, List.of(floats("a.npy", 1, 2), floats("b.npy"), floats("c.npy", 4, 3))));
  }

  @Test
  void sink() throws IOException {
    Path sizes = folder.resolve("sizes.npy");
    Path offsets = folder.resolve("offsets.npy");
    NpyWriter.write(sizes, ElementType.INT, MemorySegment.ofArray(new int[] {3, 1, 4}), 3);
    assertEquals(8L, StreamSnippets.offsets(funnel, sizes, offsets));
    try (ElementFile file = ElementFile.open(offsets)) {
      assertArrayEquals(
          new long[] {0, 3, 4}, file.piece(0, 3).toArray(ValueLayout.JAVA_LONG_UNALIGNED));
    }
  }

  @Test
  void listener() throws IOException {
    Source zeros =
        Source.generated(ElementType.BYTE, 3 << 20, (from, piece) -> piece.fill((byte) 0));
    assertEquals(3 << 20, StreamSnippets.counted(funnel, zeros, Long.MAX_VALUE / 2)[0]);
    CancellationException e =
        assertThrows(CancellationException.class, () -> StreamSnippets.counted(funnel, zeros, 0));
    assertEquals("after 1048576 of 3145728", e.getMessage());
  }

  @Test
  void failure() throws IOException {
    Source broken =
        Source.generated(
            ElementType.INT,
            5,
            (from, piece) -> {
              throw new EOFException("no more");
            });
    assertEquals(
        "unreadable from element 0 on: generated INT[5]: elements 0 to 4 cannot be read: no more",
        StreamSnippets.sum(funnel, broken));
  }
}
