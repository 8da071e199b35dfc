package funnel.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Storage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files of numbers that are stored in another form than elements. */
class StoredFilesTest {

  @TempDir Path folder;

  static List<Storage<?>> storages() {
    return Storage.all();
  }

  /** What NumPy writes as the type. */
  private static String description(Storage<?> storage) {
    return switch (storage.toString()) {
      case "BOOL" -> "|b1";
      case "INT8" -> "|i1";
      case "UINT8" -> "|u1";
      case "INT16" -> "<i2";
      case "UINT16", "CHAR" -> "<u2";
      case "INT32" -> "<i4";
      case "UINT32" -> "<u4";
      case "INT64" -> "<i8";
      case "FLOAT16" -> "<f2";
      case "FLOAT32" -> "<f4";
      default -> "<f8";
    };
  }

  /** Stored bytes that each storage has numbers of: flags for booleans. */
  private static byte[] stored(Storage<?> storage, int length) {
    byte[] bytes = new byte[length * storage.bytes()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (storage == Storage.BOOL ? i * 7 / 3 % 2 : i * 37 + i / 256);
    }
    return bytes;
  }

  private static MemorySegment widened(Storage<?> storage, byte[] stored) {
    int length = stored.length / storage.bytes();
    MemorySegment all = Elements.allocate(storage.elements(), length).segment();
    storage.widen(MemorySegment.ofArray(stored), all);
    return all;
  }

  @ParameterizedTest
  @MethodSource("storages")
  void filesOfEachStorage(Storage<?> storage) throws IOException {
    for (int length : new int[] {0, 1, 3, 1023, 1024, 1025, 3000}) {
      byte[] stored = stored(storage, length);
      MemorySegment elements = widened(storage, stored);
      if (storage == Storage.FLOAT16) { // NaN have other bits when they are written
        storage.narrow(elements, MemorySegment.ofArray(stored));
        elements = widened(storage, stored);
      }
      Path path = folder.resolve("x.npy");
      NpyWriter.write(path, storage, elements, length);
      byte[] bytes = Files.readAllBytes(path);
      String header = new String(bytes, 10, 118, StandardCharsets.ISO_8859_1);
      assertTrue(header.startsWith("{'descr': '%s', ".formatted(description(storage))), header);
      assertArrayEquals(stored, java.util.Arrays.copyOfRange(bytes, 128, bytes.length));
      Path raw = Files.write(folder.resolve("x.bin"), stored);
      try (ElementFile file = ElementFile.open(path);
          ElementFile other = ElementFile.openRaw(raw, storage)) {
        for (ElementFile each : List.of(file, other)) {
          assertEquals(storage.elements(), each.type());
          assertEquals(length, each.length());
          assertEquals(List.of((long) length), each.shape());
          assertEquals(-1, elements.mismatch(each.piece(0, length)));
          int from = length / 3;
          int size = storage.elements().bytes();
          MemorySegment part = elements.asSlice((long) from * size);
          assertEquals(-1, part.mismatch(each.piece(from, length)));
          MemorySegment read = Elements.allocate(storage.elements(), length - from).segment();
          each.read(from, read);
          assertEquals(-1, part.mismatch(read));
          assertThrows(IndexOutOfBoundsException.class, () -> each.piece(1, length + 1L));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("storages")
  void arraysOfEachStorageInArchives(Storage<?> storage) throws IOException {
    byte[] stored = stored(storage, 5);
    byte[] header = NpyHeader.bytes(storage, List.of(5L));
    Path path = folder.resolve("x.npz");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(path))) {
      ZipEntry entry = new ZipEntry("a.npy");
      entry.setMethod(ZipEntry.STORED);
      entry.setSize(header.length + stored.length);
      CRC32 crc = new CRC32();
      crc.update(header);
      crc.update(stored);
      entry.setCrc(crc.getValue());
      zip.putNextEntry(entry);
      zip.write(header);
      zip.write(stored);
    }
    MemorySegment elements = widened(storage, stored);
    Npz.Array array = Npz.read(path).get("a");
    assertEquals(storage.elements(), array.type());
    assertEquals(-1, elements.mismatch(array.data()));
    try (ElementFile file = Npz.open(path, "a")) {
      assertEquals(5, file.length());
      assertEquals(-1, elements.mismatch(file.piece(0, 5)));
    }
  }

  @ParameterizedTest
  @MethodSource("storages")
  @SuppressWarnings("unchecked") // an array of its own
  void arraysAreMemory(Storage<?> storage) {
    byte[] stored = stored(storage, 7);
    Object array = storage.toArray(MemorySegment.ofArray(stored));
    assertEquals(7, Array.getLength(array));
    MemorySegment memory = ((Storage<Object>) storage).memory(array);
    assertArrayEquals(stored, memory.toArray(ValueLayout.JAVA_BYTE));
    assertEquals(
        storage.isNarrow(), storage != Storage.of(storage.elements()) && storage != Storage.BOOL);
    assertThrows(IllegalArgumentException.class, () -> ((Storage<Object>) storage).memory("text"));
  }

  @Test
  void streamsWidenAndNarrow() throws IOException {
    short[] samples = new short[100_001];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = (short) (i * 31);
    }
    Path in = folder.resolve("samples.npy");
    Path out = folder.resolve("halved.npy");
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      int[] ints = funnel.of(samples).toArray();
      NpyWriter.write(in, Storage.INT16, MemorySegment.ofArray(ints), ints.length);
      try (ElementFile file = ElementFile.open(in);
          ElementOutput output = ElementOutput.create(out, Storage.INT16, file.length())) {
        long written = funnel.ints(file).sorted().write(output);
        output.commit(false);
        assertEquals(samples.length, written);
        assertEquals(funnel.of(samples).sumAsLong(), funnel.ints(file).sumAsLong());
      }
      try (ElementFile file = ElementFile.open(out)) {
        assertEquals(
            -1,
            MemorySegment.ofArray(funnel.of(samples).sorted().toArray())
                .mismatch(file.piece(0, file.length())));
      }
    }
  }

  @Test
  void whatDoesNotFitIsNotWritten() throws IOException {
    Path path = folder.resolve("x.npy");
    int[] ints = {1, 2, 255, 65536};
    MemorySegment elements = MemorySegment.ofArray(ints);
    for (boolean isAppended : new boolean[] {false, true}) {
      String message =
          assertThrows(
                  ArithmeticException.class,
                  () -> {
                    if (isAppended) {
                      try (ElementOutput output = ElementOutput.create(path, Storage.UINT16, 6)) {
                        output.append(MemorySegment.ofArray(new int[2]));
                        output.append(elements);
                        output.commit(false);
                      }
                    } else {
                      NpyWriter.write(path, Storage.UINT16, elements, 4);
                    }
                  })
              .getMessage();
      assertEquals(
          "element %s is 65536, but UINT16 takes 0 to 65535: let a function clamp or cast it before"
              .formatted(isAppended ? 5 : 3),
          message);
      assertFalse(Files.exists(path));
    }
    Path odd = Files.write(folder.resolve("odd.bin"), new byte[3]);
    assertThrows(FileFormatException.class, () -> ElementFile.openRaw(odd, Storage.INT16).close());
    assertEquals(
        "'<u8' are not supported, since longs end at 2^63 - 1: if all of them fit, convert with"
            + " a.astype('<i8')",
        assertThrows(
                NpyFormatException.class,
                () ->
                    ElementFile.open(
                            Files.write(
                                path,
                                NpyHeader.bytes(
                                    1,
                                    "{'descr': '<u8', 'fortran_order': False, 'shape': (0,), }")))
                        .close())
            .getMessage()
            .replaceAll(".*type ('<u8'.*'\\)) .*", "$1"));
  }

  /** Elements that are written can be read before they are committed. */
  @Test
  void whatIsWrittenIsWidened() throws IOException {
    try (ElementOutput output = ElementOutput.create(folder.resolve("t"), Storage.INT8, 3);
        java.lang.foreign.Arena arena = java.lang.foreign.Arena.ofConfined()) {
      output.append(MemorySegment.ofArray(new int[] {-128, 0, 127}));
      assertEquals(ElementType.INT, output.type());
      assertArrayEquals(
          new int[] {-128, 0, 127}, output.written(arena).toArray(ValueLayout.JAVA_INT));
    }
  }
}
