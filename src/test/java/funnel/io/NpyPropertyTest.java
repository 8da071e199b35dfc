package funnel.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

class NpyPropertyTest {

  private Path folder = Path.of("");

  @BeforeProperty
  void createFolder() throws IOException {
    folder = Files.createTempDirectory("npy");
  }

  @AfterProperty
  void deleteFolder() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  @Property(tries = 200)
  void whatIsWrittenIsRead(
      @ForAll ElementType type,
      @ForAll @Size(max = 4) List<@LongRange(max = 6) Long> shape,
      @ForAll long seed)
      throws IOException {
    long length = shape.stream().reduce(1L, (a, b) -> a * b);
    byte[] bytes = new byte[(int) length * type.bytes()];
    new Random(seed).nextBytes(bytes);
    Path path = folder.resolve("a.npy");
    NpyWriter.write(
        path,
        type,
        MemorySegment.ofArray(bytes),
        shape.stream().mapToLong(Long::longValue).toArray());
    try (ElementFile file = ElementFile.open(path)) {
      assertEquals(type, file.type());
      assertEquals(shape, file.shape());
      assertEquals(length, file.length());
      assertEquals(0, file.header().orElseThrow().dataOffset() % 64);
      assertEquals(-1, MemorySegment.ofArray(bytes).mismatch(file.piece(0, length)));
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(1, files.count());
    }
  }

  /** Any damage to the header is refused by name, or leaves a header that says the file's size. */
  @Property(tries = 1000)
  void damagedHeadersAreRefusedByName(
      @ForAll @IntRange(max = 127) int at, @ForAll byte value, @ForAll @IntRange(max = 2) int cut)
      throws IOException {
    byte[] whole = new byte[128 + 24];
    String text = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }";
    byte[] header = NpyHeader.bytes(1, text);
    assertEquals(128, header.length);
    System.arraycopy(header, 0, whole, 0, header.length);
    whole[at] = value;
    Path path =
        Files.write(folder.resolve("b.npy"), java.util.Arrays.copyOf(whole, whole.length - cut));
    try (ElementFile file = ElementFile.open(path)) {
      NpyHeader read = file.header().orElseThrow();
      assertEquals(whole.length - cut, read.dataOffset() + read.length() * read.type().bytes());
    } catch (NpyFormatException e) {
      assertTrue(e.offset() <= whole.length, e.getMessage());
    }
  }
}
