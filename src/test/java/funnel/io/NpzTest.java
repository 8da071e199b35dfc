package funnel.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.file.WholeFile;
import funnel.operator.ElementType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NpzTest {

  private static final long SEED = 5;

  @TempDir Path folder;

  @AfterEach
  void noPartIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(), files.filter(f -> f.toString().endsWith(".part")).toList());
    }
  }

  private Path file() {
    return folder.resolve("a.npz");
  }

  private static SequencedMap<String, Npz.Array> arrays() {
    SequencedMap<String, Npz.Array> arrays = new LinkedHashMap<>();
    byte[] bytes = new byte[3_000_000];
    new Random(SEED).nextBytes(bytes);
    arrays.put("step", Npz.Array.of(7L));
    arrays.put("time", Npz.Array.of(-0.0));
    arrays.put("sides", Npz.Array.of(new long[] {1, Long.MIN_VALUE}));
    arrays.put("fluxes", Npz.Array.of(new double[] {Double.NaN, Math.PI}));
    arrays.put("nothing", new Npz.Array(ElementType.INT, List.of(0L, 3L), MemorySegment.NULL));
    arrays.put(
        "bytes",
        new Npz.Array(ElementType.BYTE, List.of(1000L, 3000L), MemorySegment.ofArray(bytes)));
    return arrays;
  }

  private static byte[] bytes(Npz.Array array) {
    return array.data().toArray(ValueLayout.JAVA_BYTE);
  }

  private static void assertSame(Map<String, Npz.Array> expected, Map<String, Npz.Array> found) {
    assertEquals(expected.keySet(), found.keySet());
    expected.forEach(
        (name, array) -> {
          assertEquals(array.type(), found.get(name).type(), name);
          assertEquals(array.shape(), found.get(name).shape(), name);
          assertArrayEquals(bytes(array), bytes(found.get(name)), name);
        });
  }

  @Test
  void whatIsWrittenIsReadBitForBit() throws IOException {
    Npz.write(file(), arrays());
    assertSame(arrays(), Npz.read(file()));
    byte[] once = Files.readAllBytes(file());
    Npz.write(file(), arrays());
    assertArrayEquals(once, Files.readAllBytes(file()), "equal arrays, equal files");
  }

  /** As np.savez_compressed writes them, from its documentation: a zip of .npy files. */
  @Test
  void compressedArchivesAreRead() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("x.npy"));
      zip.write(NpyHeader.bytes(ElementType.BYTE, List.of(100_000L)));
      zip.write(new byte[100_000]);
    }
    Files.write(file(), bytes.toByteArray());
    assertTrue(bytes.size() < 1000);
    Npz.Array array = Npz.read(file()).get("x");
    assertEquals(List.of(100_000L), array.shape());
    assertArrayEquals(new byte[100_000], bytes(array));
  }

  /** No flipped bit and no cut goes by unseen, unless everything that was written is still read. */
  @Test
  void damageIsNamed() throws IOException {
    SequencedMap<String, Npz.Array> small = arrays();
    small.remove("bytes");
    Npz.write(file(), small);
    byte[] right = Files.readAllBytes(file());
    int refused = 0;
    for (int at = 0; at < right.length; at += 3) {
      byte[] wrong = right.clone();
      wrong[at] ^= (byte) (1 << at % 8);
      Files.write(file(), wrong);
      try {
        assertSame(small, Npz.read(file()));
      } catch (FileFormatException e) {
        refused++;
      } catch (AssertionError e) {
        Map<String, Npz.Array> read = Npz.read(file());
        assertTrue(
            !read.keySet().equals(small.keySet()),
            "byte %s: only names, which have no checksum, may differ".formatted(at));
      }
    }
    assertTrue(refused > right.length / 9, refused + " of " + right.length);
    for (int length = 0; length < right.length; length += 5) {
      Files.write(file(), Arrays.copyOf(right, length));
      FileFormatException e =
          assertThrows(FileFormatException.class, () -> Npz.read(file()), "length " + length);
      assertTrue(e.getMessage().contains("file of %s bytes".formatted(length)), e.getMessage());
      assertFalse(e.getMessage().contains("offset"), e.getMessage());
    }
  }

  private void assertRefused(String message, byte[] header, int dataBytes) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("x.npy"));
      zip.write(header);
      zip.write(new byte[dataBytes]);
    }
    Files.write(file(), bytes.toByteArray());
    FileFormatException e = assertThrows(FileFormatException.class, () -> Npz.read(file()));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  @Test
  void wrongContentsAreNamed() throws IOException {
    byte[] header = NpyHeader.bytes(ElementType.INT, List.of(3L));
    assertRefused("has 139 bytes, its shape [3] needs 140", header, 11);
    assertRefused("has 141 bytes, its shape [3] needs 140", header, 13);
    assertRefused("has 128 bytes", NpyHeader.bytes(ElementType.INT, List.of(1L << 60)), 0);
    assertRefused("entry 'x.npy', at its byte 0: not a .npy file", new byte[200], 0);
    assertRefused(
        "entry 'x.npy', at its byte 20: truncated: the header needs at least 128 bytes",
        Arrays.copyOf(header, 20),
        0);
    byte[] fortran =
        NpyHeader.bytes(1, "{'descr': '<i4', 'fortran_order': True, 'shape': (1, 3), }");
    assertRefused("Fortran", fortran, 12);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("read.me"));
    }
    Files.write(file(), bytes.toByteArray());
    FileFormatException e = assertThrows(FileFormatException.class, () -> Npz.read(file()));
    assertTrue(e.getMessage().contains("'read.me' is no .npy"), e.getMessage());
    Files.write(file(), "not a zip".getBytes(StandardCharsets.US_ASCII));
    assertThrows(FileFormatException.class, () -> Npz.read(file()));
    assertThrows(NoSuchFileException.class, () -> Npz.read(folder.resolve("none")));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Npz.Array(ElementType.INT, List.of(2L), MemorySegment.ofArray(new int[3])));
  }

  @Test
  void oneArrayIsReadWhateverTheOthersAre() throws IOException {
    byte[] fortran =
        NpyHeader.bytes(1, "{'descr': '<i4', 'fortran_order': True, 'shape': (2, 2), }");
    byte[] elements = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0};
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file()))) {
      zip.putNextEntry(new ZipEntry("read.me"));
      zip.putNextEntry(new ZipEntry("text.npy"));
      zip.write(NpyHeader.bytes(1, "{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }"));
      zip.write(new byte[4]);
      zip.putNextEntry(new ZipEntry("table.npy"));
      zip.write(fortran);
      zip.write(elements);
    }
    assertEquals(List.of("text", "table"), Npz.names(file()));
    MemorySegment data;
    try (ElementFile table = Npz.open(file(), "table")) {
      assertEquals(List.of(2L, 2L), table.shape());
      assertTrue(table.header().orElseThrow().fortranOrder());
      data = table.piece(0, 4);
      assertArrayEquals(elements, data.toArray(ValueLayout.JAVA_BYTE));
    }
    assertThrows(IllegalStateException.class, () -> data.get(ValueLayout.JAVA_BYTE, 0));
    for (String name : List.of("text", "read", "none")) {
      FileFormatException e = assertThrows(FileFormatException.class, () -> Npz.open(file(), name));
      String part = name.equals("text") ? "'<U1'" : "no array '%s'; there are".formatted(name);
      assertTrue(e.getMessage().contains(part), e.getMessage());
    }
  }

  private static void assertCannotBegin(
      Class<? extends FileSystemException> type, Path file, String why) {
    FileSystemException e = assertThrows(type, () -> WholeFile.create(file));
    assertEquals("%s: %s".formatted(file, why), e.getMessage());
  }

  @Test
  void aWholeFileIsThereAfterCommitOnly() throws IOException {
    Path file = folder.resolve("whole");
    Files.write(file, new byte[] {1});
    try (WholeFile whole = WholeFile.create(file)) {
      whole.stream().write(2);
      assertArrayEquals(new byte[] {1}, Files.readAllBytes(file));
    }
    assertArrayEquals(new byte[] {1}, Files.readAllBytes(file));
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    try (WholeFile whole = WholeFile.create(link)) {
      whole.stream().write(2);
      whole.commit();
    }
    assertTrue(Files.isSymbolicLink(link));
    assertArrayEquals(new byte[] {2}, Files.readAllBytes(file));
    assertCannotBegin(
        FileAlreadyExistsException.class, folder, "it is not a regular file: name another place");
    assertCannotBegin(
        NoSuchFileException.class,
        folder.resolve("no/such/file"),
        "there is no folder %s: create it first".formatted(folder.resolve("no/such")));
    assertCannotBegin(
        FileSystemException.class,
        file.resolve("below"),
        "%s is not a folder: name another place".formatted(file));
    FileSystemException e =
        assertThrows(FileSystemException.class, () -> WholeFile.create(Path.of("/proc/none")));
    assertTrue(e.getMessage().startsWith("/proc/none: no file can be created in /proc ("));
  }
}
