package funnel.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operator.ElementType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpyTest {

  @TempDir Path folder;

  private static byte[] npy(int version, String header, byte[] data) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(NpyHeader.bytes(version, header));
    bytes.writeBytes(data);
    return bytes.toByteArray();
  }

  private static byte[] npy(String header, int dataBytes) {
    return npy(1, header, new byte[dataBytes]);
  }

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("a.npy"), bytes);
  }

  private NpyFormatException refused(byte[] bytes) throws IOException {
    Path file = file(bytes);
    NpyFormatException e =
        assertThrows(NpyFormatException.class, () -> ElementFile.open(file).close());
    assertTrue(e.getMessage().startsWith(file.toString()), e.getMessage());
    assertTrue(e.getMessage().contains("offset=" + e.offset()), e.getMessage());
    return e;
  }

  /** Written by NumPy 2.4: {@code np.arange(6, dtype='<f8').reshape(2, 3)} in each version. */
  @ParameterizedTest
  @CsvSource({
    "1, 934e554d505901007600",
    "2, 934e554d5059020074000000",
    "3, 934e554d5059030074000000"
  })
  void readsWhatNumpyWrites(int version, String begin) throws IOException {
    String header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(HexFormat.of().parseHex(begin));
    bytes.writeBytes(header.getBytes(StandardCharsets.ISO_8859_1));
    bytes.writeBytes(" ".repeat(127 - bytes.size()).getBytes(StandardCharsets.ISO_8859_1));
    bytes.write('\n');
    MemorySegment data = MemorySegment.ofArray(new double[] {0, 1, 2, 3, 4, 5});
    bytes.writeBytes(data.toArray(ValueLayout.JAVA_BYTE));
    assertEquals(128 + 48, bytes.size());
    assertArrayEquals(
        bytes.toByteArray(), npy(version, header, data.toArray(ValueLayout.JAVA_BYTE)));

    try (ElementFile file = ElementFile.open(file(bytes.toByteArray()))) {
      assertEquals(ElementType.DOUBLE, file.type());
      assertEquals(List.of(2L, 3L), file.shape());
      assertEquals(6, file.length());
      assertEquals(-1, data.mismatch(file.piece(0, 6)));
      assertEquals(3.0, file.piece(3, 4).get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0));
    }
  }

  /** However many there may be: a header of one dimension has the same size. */
  @ParameterizedTest
  @ValueSource(longs = {3, 100_000, Long.MAX_VALUE / 8})
  void whatIsWrittenCanBeAllThereIs(long most) throws IOException {
    Path file = folder.resolve("found.npy");
    try (ElementOutput output = ElementOutput.create(file, ElementType.LONG, most)) {
      output.append(MemorySegment.ofArray(new long[] {4, 5}));
      output.append(MemorySegment.ofArray(new long[] {6}));
      output.end();
      output.commit(false);
    }
    try (ElementFile read = ElementFile.open(file)) {
      assertEquals(List.of(3L), read.shape());
      assertArrayEquals(new long[] {4, 5, 6}, read.piece(0, 3).toArray(ValueLayout.JAVA_LONG));
    }
    try (ElementOutput output = ElementOutput.create(file, ElementType.LONG, 2, 3)) {
      assertThrows(IllegalStateException.class, output::end);
    }
  }

  @Test
  void readsHeadersThatPeopleWrite() throws IOException {
    String header = "{\"shape\":(2,3L,),'fortran_order':True,\"descr\":'<i4'}";
    try (ElementFile file = ElementFile.open(file(npy(header, 24)))) {
      assertEquals(List.of(2L, 3L), file.shape());
      assertTrue(file.header().orElseThrow().fortranOrder());
      assertEquals(ElementType.INT, file.type());
    }
  }

  @Test
  void readsSingleValuesAndEmptyArrays() throws IOException {
    String scalar = "{'descr': '|u1', 'fortran_order': False, 'shape': (), }";
    try (ElementFile file = ElementFile.open(file(npy(scalar, 1)))) {
      assertEquals(1, file.length());
      assertEquals(List.of(), file.shape());
    }
    String empty =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 7, 0), }";
    try (ElementFile file = ElementFile.open(file(npy(empty, 0)))) {
      assertEquals(0, file.length());
      assertEquals(0, file.piece(0, 0).byteSize());
    }
  }

  @Test
  void namesTheSizeOfATruncatedFile() throws IOException {
    byte[] whole = npy("{'descr': '<i4', 'fortran_order': False, 'shape': (10,), }", 40);
    for (int size = 0; size < whole.length; size++) {
      NpyFormatException e = refused(java.util.Arrays.copyOf(whole, size));
      if (size >= whole.length - 40) {
        assertEquals(whole.length, e.expectedBytes());
        assertEquals(size, e.offset());
        assertTrue(e.getMessage().contains("the file has " + size + " bytes"), e.getMessage());
      }
    }
    NpyFormatException e = refused(java.util.Arrays.copyOf(whole, whole.length + 3));
    assertEquals(whole.length, e.expectedBytes());
    assertEquals(whole.length, e.offset(), "the first byte too many");
    assertTrue(e.getMessage().contains("too long"), e.getMessage());
  }

  @Test
  void saysHowToConvertBigEndianElements() throws IOException {
    NpyFormatException e =
        refused(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", 4));
    assertTrue(e.getMessage().contains("big-endian"), e.getMessage());
    assertTrue(e.getMessage().contains("a.astype('<f4')"), e.getMessage());
    assertEquals(10 + "{'descr':".length(), e.offset());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"'|b2'", "'<c8'", "'<u8'", "'<i3'", "'|S5'", "'|O'", "'<M8[ns]'", "'<f16'", "''"})
  void refusesOtherTypes(String type) throws IOException {
    NpyFormatException e =
        refused(npy("{'descr': %s, 'fortran_order': False, 'shape': (1,), }".formatted(type), 8));
    assertTrue(e.getMessage().contains("not supported"), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}",
        "[1]",
        "{'descr': '<i4', 'fortran_order': False, }",
        "{'descr': '<i4', 'shape': (1,), }",
        "{'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (1), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (1 1), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': 1, }",
        "{'descr': '<i4', 'fortran_order': 0, 'shape': (1,), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), 'more': True}",
        "{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), } x",
        "{'descr': '<i4' 'fortran_order': False, 'shape': (1,), }",
        "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (4611686018427387904,), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,), }"
      })
  void refusesMalformedHeaders(String header) throws IOException {
    NpyFormatException e = refused(npy(header, 4));
    assertTrue(e.getMessage().contains("bad .npy header"), e.getMessage());
  }

  @Test
  void refusesOtherFilesAndVersions() throws IOException {
    byte[] good = npy("{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }", 4);
    byte[] wrongMagic = good.clone();
    wrongMagic[0] = 'x';
    assertEquals(0, refused(wrongMagic).offset());
    byte[] wrongVersion = good.clone();
    wrongVersion[6] = 4;
    assertTrue(refused(wrongVersion).getMessage().contains("version 4"));
    byte[] hugeHeader =
        npy(2, "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }", new byte[4]);
    hugeHeader[11] = (byte) 0xff;
    assertTrue(refused(hugeHeader).getMessage().contains("at most"));
  }

  @Test
  void readsRawFilesOfWholeElementsOnly() throws IOException {
    Path file = Files.write(folder.resolve("raw"), new byte[] {1, 0, 0, 0, 2, 0, 0});
    FileFormatException e =
        assertThrows(
            FileFormatException.class, () -> ElementFile.openRaw(file, ElementType.INT).close());
    assertEquals(4, e.offset());
    assertEquals(8, e.expectedBytes());
    try (ElementFile bytes = ElementFile.openRaw(file, ElementType.BYTE)) {
      assertEquals(7, bytes.length());
      assertEquals(List.of(7L), bytes.shape());
      assertThrows(IndexOutOfBoundsException.class, () -> bytes.piece(0, 8));
      assertThrows(IndexOutOfBoundsException.class, () -> bytes.piece(-1, 3));
      assertThrows(IndexOutOfBoundsException.class, () -> bytes.piece(3, 2));
    }
    FileFormatException noFile =
        assertThrows(
            FileFormatException.class, () -> ElementFile.openRaw(folder, ElementType.BYTE).close());
    assertEquals(folder + ": not a regular file, whose parts can be read", noFile.getMessage());
    assertEquals(-1, noFile.offset());
    assertEquals(-1, noFile.expectedBytes());
  }

  @Test
  void namesPlaceAndSizeWhereTheyAreKnown() {
    Path file = Path.of("f");
    assertEquals("f: bad", new FileFormatException(file, -1, -1, "bad").getMessage());
    assertEquals("f: bad [offset=0]", new FileFormatException(file, 0, -1, "bad").getMessage());
    assertEquals(
        "f: bad [expected size=0 bytes]", new FileFormatException(file, -1, 0, "bad").getMessage());
    FileFormatException both = new FileFormatException(file, 4, 8, "bad");
    assertEquals("f: bad [offset=4, expected size=8 bytes]", both.getMessage());
    assertEquals("bad", both.what());
  }

  @Test
  void tellsNpyFilesByNameAndByContent() throws IOException {
    Path named = Files.write(folder.resolve("x.NPY"), new byte[0]);
    Path hidden =
        Files.write(
            folder.resolve("data"),
            npy("{'descr': '<i4', 'fortran_order': False, 'shape': ()}", 4));
    Path other = Files.write(folder.resolve("other"), new byte[] {(byte) 0x93, 'N', 'U'});
    assertTrue(ElementFile.isNpy(named));
    assertTrue(ElementFile.isNpy(hidden));
    assertFalse(ElementFile.isNpy(other));
  }

  @Test
  void seesThatAFileHasChanged() throws IOException {
    Path path = Files.write(folder.resolve("raw"), new byte[64]);
    try (ElementFile file = ElementFile.openRaw(path, ElementType.LONG)) {
      file.requireUnchanged();
      FileTime before = Files.getLastModifiedTime(path);
      Files.setLastModifiedTime(path, FileTime.fromMillis(before.toMillis() + 5000));
      FileChangedException e = assertThrows(FileChangedException.class, file::requireUnchanged);
      assertTrue(e.getMessage().contains("modified at"), e.getMessage());
      Files.setLastModifiedTime(path, before);
      file.requireUnchanged();
      Files.write(path, new byte[65]);
      e = assertThrows(FileChangedException.class, file::requireUnchanged);
      assertTrue(e.getMessage().contains("size was 64 bytes, is 65"), e.getMessage());
      Files.delete(path);
      e = assertThrows(FileChangedException.class, file::requireUnchanged);
      assertTrue(e.getMessage().contains("it is gone"), e.getMessage());
    }
  }

  @Test
  void readsIntoMemory_andFailsWhereTheFileWasCutOff() throws IOException {
    long[] numbers = LongStream.range(0, 300_000).toArray();
    Path path = folder.resolve("x.npy");
    NpyWriter.write(path, ElementType.LONG, MemorySegment.ofArray(numbers), numbers.length);
    try (ElementFile file = ElementFile.open(path)) {
      long[] some = new long[200_000];
      file.read(50_000, MemorySegment.ofArray(some));
      assertArrayEquals(Arrays.copyOfRange(numbers, 50_000, 250_000), some);
      MemorySegment memory = Arena.ofAuto().allocate(24, 8);
      file.read(299_997, memory);
      assertEquals(299_999, memory.getAtIndex(ValueLayout.JAVA_LONG, 2));
      assertThrows(IndexOutOfBoundsException.class, () -> file.read(299_998, memory));
      assertThrows(
          IllegalArgumentException.class, () -> file.read(0, MemorySegment.ofArray(new int[1])));
      try (FileChannel cut = FileChannel.open(path, StandardOpenOption.WRITE)) {
        var _ = cut.truncate(1_000_000);
      }
      FileChangedException e =
          assertThrows(
              FileChangedException.class, () -> file.read(50_000, MemorySegment.ofArray(some)));
      assertTrue(e.getMessage().contains("size was 2400128 bytes, is 1000000"), e.getMessage());
      Files.delete(path);
      e = assertThrows(FileChangedException.class, () -> file.read(0, memory));
      assertTrue(e.getMessage().contains("it is gone"), e.getMessage());
    }
  }

  @Test
  void seesThatAnotherFileHasTakenTheName() throws IOException {
    Path path = Files.write(folder.resolve("raw"), new byte[64]);
    try (ElementFile file = ElementFile.openRaw(path, ElementType.LONG)) {
      FileTime before = Files.getLastModifiedTime(path);
      Path other = Files.write(folder.resolve("other"), new byte[64]);
      Files.move(other, path, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      Files.setLastModifiedTime(path, before);
      assertThrows(FileChangedException.class, file::requireUnchanged);
    }
  }

  @Test
  void leavesTheOldFileWhereWritingFails() throws IOException {
    Path path = Files.write(folder.resolve("a.npy"), new byte[] {42});
    MemorySegment data = MemorySegment.ofArray(new int[6]);
    assertThrows(
        IllegalArgumentException.class, () -> NpyWriter.write(path, ElementType.INT, data, 7));
    assertThrows(
        IllegalArgumentException.class, () -> NpyWriter.write(path, ElementType.INT, data, -2, -3));
    assertThrows(
        IllegalArgumentException.class,
        () -> NpyWriter.write(path, ElementType.INT, data, 1L << 40, 1L << 40));
    assertArrayEquals(new byte[] {42}, Files.readAllBytes(path));
    Path nowhere = folder.resolve("nowhere").resolve("a.npy");
    assertThrows(IOException.class, () -> NpyWriter.write(nowhere, ElementType.INT, data, 6));
    Path taken = Files.createDirectories(folder.resolve("taken.npy").resolve("full")).getParent();
    assertThrows(IOException.class, () -> NpyWriter.write(taken, ElementType.INT, data, 6));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(2, files.count());
    }
  }

  @Test
  void writesPartAfterPart() throws IOException {
    Path path = folder.resolve("parts.npy");
    try (ElementOutput output = ElementOutput.create(path, ElementType.INT, 2, 3)) {
      output.append(MemorySegment.ofArray(new int[] {1, 2}));
      assertThrows(IllegalStateException.class, () -> output.commit(false));
      output.append(MemorySegment.ofArray(new int[0]));
      output.append(MemorySegment.ofArray(new int[] {3, 4, 5, 6}));
      assertThrows(
          IllegalArgumentException.class,
          () -> output.append(MemorySegment.ofArray(new int[] {7})));
      assertFalse(Files.exists(path));
      output.commit(false);
    }
    try (ElementFile file = ElementFile.open(path)) {
      assertEquals(List.of(2L, 3L), file.shape());
      assertArrayEquals(
          new int[] {1, 2, 3, 4, 5, 6}, file.piece(0, 6).toArray(ValueLayout.JAVA_INT_UNALIGNED));
    }
  }

  @Test
  void partsWithoutCommitLeaveNothing() throws IOException {
    Path path = Files.write(folder.resolve("a.npy"), new byte[] {42});
    try (ElementOutput output = ElementOutput.create(path, ElementType.INT, 1)) {
      output.append(MemorySegment.ofArray(new int[] {1}));
      assertThrows(FileAlreadyExistsException.class, () -> output.commit(false));
    }
    try (ElementOutput output = ElementOutput.create(path, ElementType.INT, 2)) {
      output.append(MemorySegment.ofArray(new int[] {1}));
    }
    assertArrayEquals(new byte[] {42}, Files.readAllBytes(path));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(1, files.count());
    }
  }

  @Test
  void usesVersionTwoForLongHeaders() throws IOException {
    long[] shape = new long[30_000];
    java.util.Arrays.fill(shape, 1);
    byte[] header =
        NpyHeader.bytes(ElementType.INT, java.util.Arrays.stream(shape).boxed().toList());
    assertEquals(2, header[6]);
    assertEquals(0, header.length % 64);
  }
}
