package funnel.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.heat.HeatCheckpoint;
import funnel.heat.HeatCheckpointException;
import funnel.operator.ElementType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives that claim more than they hold, or say what no terminal should be told. */
class NpzClaimsTest {

  private static final int LONGEST_MESSAGE = 1000;

  @TempDir Path folder;

  /** An archive, written byte by byte. */
  private static final class Zip {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ByteArrayOutputStream directory = new ByteArrayOutputStream();
    private int count;

    private static ByteBuffer record(int signature, int size) {
      return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN).putInt(signature);
    }

    /** Adds an entry with a header and deflated zeros, of which the directory claims a size. */
    Zip add(String name, ElementType type, List<Long> shape, int zeros, long claimed) {
      byte[] header = NpyHeader.bytes(type, shape);
      byte[] all = java.util.Arrays.copyOf(header, header.length + zeros);
      CRC32 crc = new CRC32();
      crc.update(all);
      Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
      deflater.setInput(all);
      deflater.finish();
      byte[] deflated = new byte[all.length + 100];
      int size = deflater.deflate(deflated);
      deflater.end();
      int at = bytes.size();
      byte[] entry = name.getBytes(StandardCharsets.UTF_8);
      ByteBuffer local = record(0x04034b50, 30).putShort((short) 20).putShort((short) (1 << 11));
      local.putShort((short) 8).putInt(0).putInt((int) crc.getValue()).putInt(size);
      local.putInt(all.length).putShort((short) entry.length);
      bytes.writeBytes(local.array());
      bytes.writeBytes(entry);
      bytes.write(deflated, 0, size);
      return list(name, at, size, claimed, crc.getValue());
    }

    /** Adds to the directory alone, for data that is there. */
    Zip list(String name, int at, int size, long claimed, long crc) {
      byte[] entry = name.getBytes(StandardCharsets.UTF_8);
      boolean zip64 = claimed >= 0xffffffffL;
      ByteBuffer central = record(0x02014b50, 46).putShort((short) 45).putShort((short) 45);
      central.putShort((short) (1 << 11)).putShort((short) 8).putInt(0).putInt((int) crc);
      central.putInt(size).putInt(zip64 ? -1 : (int) claimed).putShort((short) entry.length);
      central.putShort((short) (zip64 ? 12 : 0)).putInt(42, at);
      directory.writeBytes(central.array());
      directory.writeBytes(entry);
      if (zip64) {
        directory.writeBytes(
            record(8 << 16 | 1, 12).putLong(claimed).array()); // extra field 1 of 8 bytes
      }
      count++;
      return this;
    }

    byte[] bytes() {
      int at = bytes.size();
      ByteBuffer end = record(0x06054b50, 22).putInt(0).putShort((short) count);
      end.putShort((short) count).putInt(directory.size()).putInt(at);
      bytes.writeBytes(directory.toByteArray());
      bytes.writeBytes(end.array());
      return bytes.toByteArray();
    }
  }

  private Path file(Zip zip) throws IOException {
    return Files.write(folder.resolve("a.npz"), zip.bytes());
  }

  private static String message(Throwable e) {
    String message = String.valueOf(e.getMessage());
    assertTrue(message.length() < LONGEST_MESSAGE, message.length() + " characters: " + message);
    assertTrue(message.chars().noneMatch(Character::isISOControl), message);
    return message;
  }

  private void assertRefused(Zip zip, String... parts) throws IOException {
    Path file = file(zip);
    String message = message(assertThrows(FileFormatException.class, () -> Npz.read(file)));
    message(assertThrows(HeatCheckpointException.class, () -> HeatCheckpoint.read(file)));
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  @Test
  void whatIsWrittenHereIsRead() throws IOException {
    Zip zip = new Zip().add("x.npy", ElementType.INT, List.of(1000L), 4000, 4128);
    assertEquals(List.of(1000L), Npz.read(file(zip)).get("x").shape());
  }

  @Test
  void aSizeIsNotBelievedBeforeTheDataIsSeen() throws IOException {
    for (long elements : new long[] {1L << 28, 1L << 40}) {
      Zip zip = new Zip();
      List<Long> shape = List.of(elements, 8L);
      zip.add("field.npy", ElementType.BYTE, shape, 10, 8 * elements + 128);
      assertRefused(
          zip,
          "entry 'field.npy' ends early: expected %s bytes of elements, found 10"
              .formatted(8 * elements));
    }
  }

  @Test
  void sixHundredSmallEntriesClaimNoMoreThanOne() throws IOException {
    Zip zip = new Zip();
    for (int k = 0; k < 600; k++) {
      zip.add("a%s.npy".formatted(k), ElementType.BYTE, List.of(1L << 27), 0, (1 << 27) + 128);
    }
    assertRefused(zip, "entry 'a0.npy' ends early");
  }

  /** One stretch of zeros for all entries: a small file that would grow without bounds. */
  @Test
  void entriesThatShareTheirDataAreRefused() throws IOException {
    Zip zip = new Zip();
    int zeros = 20_000_000;
    zip.add("a.npy", ElementType.BYTE, List.of((long) zeros), zeros, zeros + 128);
    int size = zip.bytes.size() - 35;
    byte[] all =
        java.util.Arrays.copyOf(
            NpyHeader.bytes(ElementType.BYTE, List.of((long) zeros)), zeros + 128);
    CRC32 crc = new CRC32();
    crc.update(all);
    for (int k = 1; k < 600; k++) {
      zip.list("a%s.npy".formatted(k), 0, size, zeros + 128, crc.getValue());
    }
    assertRefused(zip, "share their data", "600 entries");
  }

  @Test
  void aNameStandsOnce() throws IOException {
    Zip zip = new Zip();
    zip.add("x.npy", ElementType.INT, List.of(1L), 4, 132);
    zip.add("x.npy", ElementType.INT, List.of(2L), 8, 136);
    assertRefused(zip, "entry 'x.npy' stands twice");
  }

  @Test
  void namesAreComparedBeforeContents() throws IOException {
    Zip zip = new Zip();
    zip.add("damaged.npy", ElementType.INT, List.of(1L), 3, 999);
    zip.add("read.me", ElementType.INT, List.of(1L), 4, 132);
    assertRefused(zip, "entry 'read.me' is no .npy");
    Zip other = new Zip();
    IntStream.range(0, 600)
        .forEach(k -> other.add("a%s.npy".formatted(k), ElementType.INT, List.of(1L), 3, 999));
    Path file = file(other);
    String unknown =
        message(assertThrows(HeatCheckpointException.class, () -> HeatCheckpoint.read(file)));
    assertTrue(unknown.contains("600 unknown arrays: [a0, a1, "), unknown);
    unknown =
        message(assertThrows(FileFormatException.class, () -> Npz.read(file, Set.of("a1", "b"))));
    assertTrue(unknown.contains("known are [a1, b]"), unknown);
    Path small = file(new Zip().add("x.npy", ElementType.INT, List.of(1L), 4, 132));
    assertEquals(Set.of("x"), Npz.read(small, Set.of("a", "x")).keySet());
  }

  @Test
  void namesOutOfFilesAreEscapedAndCut() throws IOException {
    String nasty = "\u001b[2Jx\r\u0007\u202e" + "y".repeat(60_000);
    assertRefused(
        new Zip().add(nasty, ElementType.INT, List.of(1L), 4, 132),
        "entry '\\u001b[2Jx\\u000d\\u0007\\u202eyyy");
    assertRefused(
        new Zip().add(nasty + ".npy", ElementType.INT, List.of(1L), 3, 999), "more characters");
    assertRefused(
        new Zip()
            .add(
                "field.npy",
                ElementType.INT,
                IntStream.range(0, 9999).mapToObj(k -> 1L).toList(),
                9,
                9));
  }

  @Test
  void headersAreEscapedAndCut() throws IOException {
    String control = "\u001b[2J";
    String[] dictionaries = {
      "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }"
          .formatted(control + "f".repeat(60_000)),
      "{'%s': False}".formatted(control + "k".repeat(60_000)),
      "{'descr': '<i4', 'fortran_order': False, 'shape': (%s,), }".formatted("9".repeat(60_000)),
      "{'descr': '<i4', 'fortran_order': False, 'shape': (%s), }".formatted("9999, ".repeat(9999)),
      "{'descr': '<i4', 'fortran_order': False, 'shape': (%s), }".formatted("1, ".repeat(9999)),
    };
    for (String dictionary : dictionaries) {
      Path file =
          Files.write(
              folder.resolve("a.npy"),
              dictionary.equals(dictionaries[4])
                  ? NpyHeader.bytes(2, dictionary)
                  : NpyHeader.bytes(1, dictionary));
      message(assertThrows(NpyFormatException.class, () -> ElementFile.open(file).close()));
    }
  }
}
