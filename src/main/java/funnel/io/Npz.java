package funnel.io;

import funnel.file.WholeFile;
import funnel.operator.ElementType;
import funnel.operator.Storage;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * NumPy's {@code .npz} files: arrays by name, each a {@code .npy} in a zip archive.
 *
 * {@snippet class="funnel.docs.WholeFileSnippets" region="npz"}
 *
 * <p>In Python {@code np.load("state.npz")["x"]} is the array x; files of {@code np.savez} and
 * {@code np.savez_compressed} can be read. Arrays are stored uncompressed. Each has a CRC-32 over
 * all of its bytes in the archive, which is checked when it is read.
 */
public final class Npz {

  /* ZipInputStream would check checksums itself, but it trusts local headers and does not notice
   * that the archive is cut off after the last entry it reads. ZipFile begins with the directory at
   * the end, and leaves checksums to us.
   */

  private static final String SUFFIX = ".npy";
  private static final int CHUNK = 1 << 20;

  /**
   * All entries have the same date, so that equal arrays make equal files; not the earliest date of
   * zip archives, for which the JDK adds another that depends on the time zone.
   */
  private static final LocalDateTime DATE = LocalDateTime.of(1980, 2, 1, 0, 0);

  private Npz() {}

  /**
   * An array.
   *
   * @param type its elements' type
   * @param shape the lengths of its dimensions; none for a single value
   * @param data its elements in C order, little-endian
   */
  public record Array(ElementType type, List<Long> shape, MemorySegment data) {

    /**
     * Compares the shape with the data.
     *
     * @throws IllegalArgumentException if they do not match, with their sizes
     */
    public Array {
      shape = List.copyOf(shape);
      long bytes = ElementOutput.bytes(Storage.of(type), shape);
      if (bytes != data.byteSize()) {
        throw new IllegalArgumentException(
            "shape does not fit the data: shape=%s of %s needs bytes=%s, data has bytes=%s"
                .formatted(shape, type, bytes, data.byteSize()));
      }
    }

    /** A single value. */
    public static Array of(long value) {
      return new Array(ElementType.LONG, List.of(), MemorySegment.ofArray(new long[] {value}));
    }

    /** A single value. */
    public static Array of(double value) {
      return new Array(ElementType.DOUBLE, List.of(), MemorySegment.ofArray(new double[] {value}));
    }

    /** One dimension of values. */
    public static Array of(long[] values) {
      return new Array(
          ElementType.LONG, List.of((long) values.length), MemorySegment.ofArray(values));
    }

    /** One dimension of values. */
    public static Array of(double[] values) {
      return new Array(
          ElementType.DOUBLE, List.of((long) values.length), MemorySegment.ofArray(values));
    }
  }

  /**
   * Writes arrays in their order. The file appears under its name when it is complete and on the
   * disk, replacing an existing one; if anything fails, nothing has changed.
   *
   * @throws IOException if the file cannot be written
   */
  public static void write(Path file, SequencedMap<String, Array> arrays) throws IOException {
    try (WholeFile whole = WholeFile.create(file)) {
      ZipOutputStream zip = new ZipOutputStream(whole.stream());
      for (Map.Entry<String, Array> entry : arrays.entrySet()) {
        write(zip, entry.getKey(), entry.getValue());
      }
      zip.finish();
      whole.commit();
    }
  }

  private static void write(ZipOutputStream zip, String name, Array array) throws IOException {
    byte[] header = NpyHeader.bytes(array.type(), array.shape());
    CRC32 crc = new CRC32();
    crc.update(header);
    pass(array.data(), OutputStream.nullOutputStream(), crc);
    ZipEntry entry = new ZipEntry(name + SUFFIX);
    long size = header.length + array.data().byteSize();
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(size);
    entry.setCompressedSize(size);
    entry.setCrc(crc.getValue());
    entry.setTimeLocal(DATE);
    zip.putNextEntry(entry);
    zip.write(header);
    pass(array.data(), zip, new CRC32());
    zip.closeEntry();
  }

  private static void pass(MemorySegment data, OutputStream out, CRC32 crc) throws IOException {
    byte[] chunk = new byte[(int) Math.min(CHUNK, data.byteSize())];
    for (long at = 0; at < data.byteSize(); at += CHUNK) {
      int size = (int) Math.min(CHUNK, data.byteSize() - at);
      MemorySegment.copy(data, ValueLayout.JAVA_BYTE, at, chunk, 0, size);
      crc.update(chunk, 0, size);
      out.write(chunk, 0, size);
    }
  }

  /**
   * The names of the arrays, in their order. Nothing is read of the arrays themselves, which may be
   * of types that Funnel cannot read.
   *
   * @throws FileFormatException if it is not a zip archive, or is cut off
   * @throws IOException if it cannot be read
   */
  public static List<String> names(Path file) throws IOException {
    return with(file, false, (zip, entries) -> List.copyOf(entries.keySet()));
  }

  /**
   * Reads one array into new memory, as {@link ElementFile#open} maps a {@code .npy} file: elements
   * come in the order of the file, which in Fortran order is column by column. Other arrays do not
   * matter.
   *
   * @throws FileFormatException if there is no such array, and as in {@link #read(Path)}
   * @throws IOException if it cannot be read
   */
  public static ElementFile open(Path file, String name) throws IOException {
    return with(
        file,
        false,
        (zip, entries) -> {
          ZipEntry entry = entries.get(name);
          if (entry == null) {
            throw new FileFormatException(
                file,
                -1,
                -1,
                "no array '%s'; there are %s"
                    .formatted(name, FileFormatException.excerpt(entries.keySet())));
          }
          Arena arena = Arena.ofShared();
          try {
            Elements elements = elements(zip, entry, file, false, arena);
            return ElementFile.of(file, elements.header(), elements.data(), arena);
          } catch (Throwable e) {
            arena.close();
            throw e;
          }
        });
  }

  /**
   * Reads all arrays into new memory. The size that an entry states is not trusted before its data
   * is read; compressed data can still have a thousand times the file's size.
   *
   * @throws FileFormatException if it is not a zip archive, is cut off, or an array's name,
   *     checksum, size or header is wrong, or it is a table in Fortran order, which only {@link
   *     #open} reads; the message has the actual and expected numbers
   * @throws IOException if it cannot be read
   */
  public static SequencedMap<String, Array> read(Path file) throws IOException {
    return read(file, names -> {});
  }

  /**
   * Reads all arrays of an archive that may have these names alone; names are checked before any
   * array is read.
   *
   * @param names the known names; not all need to be there
   * @throws FileFormatException as in {@link #read(Path)}, and if there are other names
   * @throws IOException if it cannot be read
   */
  public static SequencedMap<String, Array> read(Path file, Set<String> names) throws IOException {
    return read(
        file,
        found -> {
          List<String> unknown = found.stream().filter(name -> !names.contains(name)).toList();
          if (!unknown.isEmpty()) {
            throw new FileFormatException(
                file,
                -1,
                -1,
                "%s unknown arrays: %s; known are %s"
                    .formatted(
                        unknown.size(),
                        FileFormatException.excerpt(unknown),
                        new TreeSet<>(names)));
          }
        });
  }

  private interface NamesCheck {
    void check(Set<String> names) throws FileFormatException;
  }

  private static SequencedMap<String, Array> read(Path file, NamesCheck names) throws IOException {
    return with(
        file,
        true,
        (zip, entries) -> {
          names.check(entries.keySet());
          SequencedMap<String, Array> arrays = new LinkedHashMap<>();
          for (Map.Entry<String, ZipEntry> entry : entries.entrySet()) {
            Elements elements = elements(zip, entry.getValue(), file, true, Arena.ofAuto());
            NpyHeader header = elements.header();
            arrays.put(
                entry.getKey(), new Array(header.type(), header.shape(), elements.widened()));
          }
          return arrays;
        });
  }

  private interface Reading<T> {
    T of(ZipFile zip, SequencedMap<String, ZipEntry> entries) throws IOException;
  }

  private static <T> T with(Path file, boolean isWhole, Reading<T> reading) throws IOException {
    long size = Files.size(file);
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return reading.of(zip, entries(zip, size, file, isWhole));
    } catch (ZipException | EOFException e) {
      throw new FileFormatException(
          file,
          -1,
          -1,
          "no whole .npz archive: the file of %s bytes is cut off or damaged (%s)"
              .formatted(size, FileFormatException.excerpt(String.valueOf(e.getMessage()))),
          e);
    }
  }

  /** The entries by the names of their arrays. */
  private static SequencedMap<String, ZipEntry> entries(
      ZipFile zip, long size, Path file, boolean isWhole) throws FileFormatException {
    SequencedMap<String, ZipEntry> entries = new LinkedHashMap<>();
    long compressed = 0;
    for (ZipEntry entry : Collections.list(zip.entries())) {
      String name = entry.getName();
      if (!name.endsWith(SUFFIX)) {
        if (isWhole) {
          throw damaged(file, entry, "is no .npy");
        }
        continue;
      }
      if (entries.put(name.substring(0, name.length() - SUFFIX.length()), entry) != null) {
        throw damaged(file, entry, "stands twice");
      }
      compressed += entry.getCompressedSize();
      if (compressed > size) {
        throw new FileFormatException(
            file,
            -1,
            -1,
            "%s entries share their data: they claim more than the file's %s bytes"
                .formatted(zip.size(), size));
      }
    }
    return entries;
  }

  private record Elements(NpyHeader header, MemorySegment data) {
    MemorySegment widened() {
      if (!header.storage().isNarrow()) {
        return data;
      }
      ElementType type = header.type();
      MemorySegment all = Arena.ofAuto().allocate(header.length() * type.bytes(), type.bytes());
      header.storage().widen(data, all);
      return all;
    }
  }

  /** An array's elements, in the order of the file. */
  private static Elements elements(
      ZipFile zip, ZipEntry entry, Path file, boolean isRowByRow, Arena arena) throws IOException {
    CRC32 crc = new CRC32();
    try (InputStream in = zip.getInputStream(entry)) {
      byte[] begin = in.readNBytes(NpyHeader.LONGEST_BEGINNING);
      crc.update(begin);
      ByteBuffer bytes = ByteBuffer.wrap(begin);
      NpyHeader header = header(bytes, entry, file);
      if (isRowByRow && header.fortranOrder() && header.shape().size() > 1) {
        throw damaged(file, entry, "is in Fortran order: save np.ascontiguousarray(a)");
      }
      long dataBytes = header.length() * header.storage().bytes();
      long expected = header.dataOffset() + dataBytes;
      if (expected != entry.getSize() || begin.length > expected) {
        throw damaged(
            file,
            entry,
            "has %s bytes, its shape %s needs %s"
                .formatted(entry.getSize(), FileFormatException.excerpt(header.shape()), expected));
      }
      long there = sizeOf(zip, entry);
      if (there < expected) { // before memory is taken
        throw damaged(
            file,
            entry,
            "ends early: expected %s bytes of elements, found %s"
                .formatted(dataBytes, Math.max(0, there - header.dataOffset())));
      }
      MemorySegment data = arena.allocate(Math.max(1, dataBytes), Long.BYTES);
      data = data.asSlice(0, dataBytes);
      int dataAt = (int) header.dataOffset();
      int first = begin.length - dataAt;
      MemorySegment.copy(begin, dataAt, data, ValueLayout.JAVA_BYTE, 0, first);
      fill(data, first, in, crc, file, entry);
      if (crc.getValue() != entry.getCrc()) {
        throw damaged(
            file,
            entry,
            String.format(
                Locale.ROOT,
                "is damaged: CRC-32 expected %08x, found %08x",
                entry.getCrc(),
                crc.getValue()));
      }
      return new Elements(header, data);
    }
  }

  /**
   * The actual number of bytes of an entry, whatever the directory says: compressed entries are
   * read for this.
   */
  private static long sizeOf(ZipFile zip, ZipEntry entry) throws IOException {
    try (InputStream in = zip.getInputStream(entry)) {
      return entry.getMethod() == ZipEntry.STORED
          ? entry.getCompressedSize()
          : in.transferTo(OutputStream.nullOutputStream());
    }
  }

  private static String nameOf(ZipEntry entry) {
    return FileFormatException.excerpt(entry.getName());
  }

  private static NpyHeader header(ByteBuffer bytes, ZipEntry entry, Path file) throws IOException {
    try {
      return NpyHeader.read((to, position) -> read(bytes, to, position), bytes.limit(), file);
    } catch (NpyFormatException e) { // its offset is one in the entry, not in the file
      throw new FileFormatException(
          file,
          -1,
          -1,
          "entry '%s', at its byte %s: %s".formatted(nameOf(entry), e.offset(), e.what()),
          e);
    }
  }

  private static void fill(
      MemorySegment data, long from, InputStream in, CRC32 crc, Path file, ZipEntry entry)
      throws IOException {
    byte[] chunk = new byte[(int) Math.min(CHUNK, data.byteSize() - from + 1)];
    long at = from;
    for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
      if (count > data.byteSize() - at) {
        throw damaged(file, entry, "has more than its %s bytes".formatted(entry.getSize()));
      }
      MemorySegment.copy(chunk, 0, data, ValueLayout.JAVA_BYTE, at, count);
      crc.update(chunk, 0, count);
      at += count;
    }
    if (at != data.byteSize()) {
      throw damaged(
          file,
          entry,
          "ends early: expected %s bytes of elements, found %s".formatted(data.byteSize(), at));
    }
  }

  private static int read(ByteBuffer from, ByteBuffer to, long position) {
    if (position >= from.limit()) {
      return -1;
    }
    int count = (int) Math.min(to.remaining(), from.limit() - position);
    to.put(from.slice((int) position, count));
    return count;
  }

  private static FileFormatException damaged(Path file, ZipEntry entry, String what) {
    return new FileFormatException(file, -1, -1, "entry '%s' %s".formatted(nameOf(entry), what));
  }
}
