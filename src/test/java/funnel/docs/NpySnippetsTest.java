package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.io.ElementFile;
import funnel.io.ElementOutput;
import funnel.io.NpyFormatException;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of files of elements do what they say. */
class NpySnippetsTest {

  @TempDir Path folder;

  private Path matrix = Path.of("m.npy");

  @BeforeEach
  void write() throws IOException {
    matrix = folder.resolve("m.npy");
    NpySnippets.write(matrix);
  }

  @Test
  void writer() throws IOException {
    try (ElementFile file = ElementFile.open(matrix)) {
      assertEquals(List.of(2L, 3L), file.shape());
      assertArrayEquals(
          new int[] {1, 2, 3, 4, 5, 6}, file.piece(0, 6).toArray(ValueLayout.JAVA_INT_UNALIGNED));
    }
  }

  @Test
  void output() throws IOException {
    Path path = folder.resolve("count.npy");
    NpySnippets.count(path, 2500);
    try (ElementFile file = ElementFile.open(path)) {
      assertArrayEquals(
          LongStream.range(0, 2500).toArray(),
          file.piece(0, 2500).toArray(ValueLayout.JAVA_LONG_UNALIGNED));
    }
    assertThrows(FileAlreadyExistsException.class, () -> NpySnippets.count(path, 1));
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void file(Target target) throws IOException {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(21, NpySnippets.sum(funnel, matrix));
    }
  }

  @Test
  void pieces() throws IOException {
    int[] twice = new int[3];
    PieceSnippets.twice(
        Source.of(MemorySegment.ofArray(new int[] {1, 2, 3}), ElementType.INT),
        Sink.of(MemorySegment.ofArray(twice), ElementType.INT));
    assertArrayEquals(new int[] {2, 4, 6}, twice);
    Path path = folder.resolve("twice.npy");
    try (ElementFile file = ElementFile.open(matrix);
        ElementOutput output = ElementOutput.create(path, ElementType.INT, 6)) {
      PieceSnippets.twice(file, output);
      output.commit(false);
    }
    try (ElementFile file = ElementFile.open(path)) {
      assertArrayEquals(
          new int[] {2, 4, 6, 8, 10, 12}, file.piece(0, 6).toArray(ValueLayout.JAVA_INT_UNALIGNED));
    }
  }

  @Test
  void header() throws IOException {
    try (ElementFile file = ElementFile.open(matrix)) {
      assertEquals(4, NpySnippets.at(file, 1, 0));
    }
  }

  @Test
  void changed() throws IOException {
    try (ElementFile file = ElementFile.open(matrix)) {
      assertEquals("result 6.0", NpySnippets.computed(file, ElementFile::length));
      String message = NpySnippets.computed(file, NpySnippetsTest::grow);
      assertTrue(
          message.startsWith(
              matrix + " changed while it was read: size was 152 bytes, is 153; run again"),
          message);
    }
  }

  private static double grow(ElementFile file) {
    try {
      Files.write(file.path(), new byte[1], StandardOpenOption.APPEND);
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void raw() throws IOException {
    Path path = folder.resolve("ints.bin");
    Files.write(path, new byte[12]);
    assertEquals("3 ints", NpySnippets.ints(path));
    Files.write(path, new byte[10]);
    assertEquals("cut at 8, whole with 12 bytes", NpySnippets.ints(path));
  }

  @Test
  void npyFormat() throws IOException {
    assertEquals(0, NpySnippets.missing(matrix));
    byte[] whole = Files.readAllBytes(matrix);
    Files.write(matrix, Arrays.copyOf(whole, whole.length - 8));
    assertEquals(8, NpySnippets.missing(matrix));
    Files.write(matrix, Arrays.copyOf(whole, whole.length + 1));
    assertThrows(NpyFormatException.class, () -> NpySnippets.missing(matrix));
    Files.write(matrix, Arrays.copyOf(whole, 5));
    assertThrows(NpyFormatException.class, () -> NpySnippets.missing(matrix));
  }
}
