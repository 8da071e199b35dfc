package funnel.io;

import funnel.file.WholeFile;
import funnel.operator.ElementType;
import funnel.operator.Storage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * A file of elements of one type, mapped into memory: it may be larger than the heap, the memory,
 * or an array.
 *
 * {@snippet class="funnel.docs.NpySnippets" region="file"}
 *
 * <p>The file must not change while it is open; {@link #requireUnchanged} checks that. If a part is
 * cut off, {@link #read} throws a {@link FileChangedException}, and a stream a {@link
 * StreamException} with that cause. Copying the part from the mapping, as with {@link
 * MemorySegment#copyFrom}, causes an {@link InternalError}; a loop over its elements can end the
 * JVM.
 *
 * <p>Thread-safe. Closing unmaps the file; later access to its memory throws an
 * IllegalStateException.
 */
public final class ElementFile implements Source, AutoCloseable {

  /** The offset of elements that are in the file in another form. */
  private static final long NOWHERE = -1;

  private static final int BLOCK = 1 << 20;

  private final Path path;
  private final Storage<?> storage;
  private final Optional<NpyHeader> header;
  private final MemorySegment data;
  private final long offset;
  private final Arena arena;
  private final BasicFileAttributes before;

  private ElementFile(
      Path path,
      Storage<?> storage,
      Optional<NpyHeader> header,
      MemorySegment data,
      long offset,
      Arena arena,
      BasicFileAttributes before) {
    this.path = path;
    this.storage = storage;
    this.header = header;
    this.data = data;
    this.offset = offset;
    this.arena = arena;
    this.before = before;
  }

  /**
   * Whether a file is recognized as a {@code .npy} file: by its name, or by its first bytes.
   *
   * @throws IOException if it cannot be read, or is not a regular file
   */
  public static boolean isNpy(Path path) throws IOException {
    attributes(path);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return path.toString().toLowerCase(Locale.ROOT).endsWith(".npy")
          || NpyHeader.isAtBeginningOf(channel);
    }
  }

  /**
   * Maps a {@code .npy} file. Elements come in the order of the file, which in Fortran order is
   * column by column.
   *
   * <p>Numbers that are {@linkplain Storage stored} in fewer bytes than elements, such as int16 or
   * float16, are widened when they are read.
   *
   * @throws NpyFormatException if it is malformed, truncated, longer than its header says,
   *     big-endian, or of a type that is no {@link Storage}
   * @throws IOException if it cannot be read
   */
  public static ElementFile open(Path path) throws IOException {
    Objects.requireNonNull(path, "path");
    BasicFileAttributes before = attributes(path);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      NpyHeader header = NpyHeader.read(channel, path);
      long expected = header.dataOffset() + header.length() * header.storage().bytes();
      long size = channel.size();
      if (size != expected) {
        throw new NpyFormatException(
            path,
            Math.min(size, expected),
            expected,
            "%s: shape %s of %s-byte elements behind a header of %s bytes; the file has %s bytes"
                .formatted(
                    size < expected ? "truncated" : "too long",
                    FileFormatException.excerpt(header.shape()),
                    header.storage().bytes(),
                    header.dataOffset(),
                    size));
      }
      return map(path, header.storage(), Optional.of(header), channel, header.dataOffset(), before);
    }
  }

  /**
   * Maps a file that contains only little-endian elements.
   *
   * @throws FileFormatException if its size is not a multiple of the element size
   * @throws IOException if it cannot be read
   */
  public static ElementFile openRaw(Path path, ElementType type) throws IOException {
    return openRaw(path, Storage.of(Objects.requireNonNull(type, "type")));
  }

  /**
   * Maps a file that contains only little-endian stored numbers, which are widened when they are
   * read.
   *
   * @throws FileFormatException if its size is not a multiple of the numbers' size
   * @throws IOException if it cannot be read
   */
  public static ElementFile openRaw(Path path, Storage<?> storage) throws IOException {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(storage, "storage");
    BasicFileAttributes before = attributes(path);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      long over = size % storage.bytes();
      if (over != 0) {
        throw new FileFormatException(
            path,
            size - over,
            size - over + storage.bytes(),
            "not a whole number of %s-byte elements: the last one has %s bytes, the file %s"
                .formatted(storage.bytes(), over, size));
      }
      return map(path, storage, Optional.empty(), channel, 0, before);
    }
  }

  /**
   * Elements read from a file of another format, which must not change either. Messages name that
   * file.
   *
   * @param data the elements
   * @param arena is closed with this object
   * @throws IOException if the file is gone
   */
  public static ElementFile of(Path path, ElementType type, MemorySegment data, Arena arena)
      throws IOException {
    return new ElementFile(
        path, Storage.of(type), Optional.empty(), data, NOWHERE, arena, attributes(path));
  }

  /**
   * Elements of an array that is a {@code .npy} in a file of another format.
   *
   * @throws IOException if the file is gone
   */
  static ElementFile of(Path path, NpyHeader header, MemorySegment data, Arena arena)
      throws IOException {
    return new ElementFile(
        path, header.storage(), Optional.of(header), data, NOWHERE, arena, attributes(path));
  }

  private static ElementFile map(
      Path path,
      Storage<?> storage,
      Optional<NpyHeader> header,
      FileChannel channel,
      long from,
      BasicFileAttributes before)
      throws IOException {
    Arena arena = Arena.ofShared();
    try {
      MemorySegment data =
          channel.map(FileChannel.MapMode.READ_ONLY, from, before.size() - from, arena);
      ElementFile file = new ElementFile(path, storage, header, data, from, arena, before);
      file.requireUnchanged();
      return file;
    } catch (Throwable e) {
      arena.close();
      throw e;
    }
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      throw new FileFormatException(path, -1, -1, "not a regular file, which a mapping needs");
    }
    return attributes;
  }

  /** The file. */
  public Path path() {
    return path;
  }

  @Override
  public ElementType type() {
    return storage.elements();
  }

  @Override
  public long length() {
    return data.byteSize() / storage.bytes();
  }

  /** The header if this is a {@code .npy} file. */
  public Optional<NpyHeader> header() {
    return header;
  }

  /** The lengths of the dimensions; for a raw file its length. */
  public List<Long> shape() {
    return header.map(NpyHeader::shape).orElse(List.of(length()));
  }

  @Override
  public MemorySegment piece(long from, long to, SegmentAllocator room) {
    MemorySegment stored = stored(from, to);
    if (!storage.isNarrow()) {
      return stored;
    }
    MemorySegment elements = room.allocate((to - from) * type().bytes(), type().bytes());
    storage.widen(stored, elements);
    return elements;
  }

  private MemorySegment stored(long from, long to) {
    ElementMemory.requireRange(this, from, to, length());
    return data.asSlice(from * storage.bytes(), (to - from) * storage.bytes());
  }

  /**
   * Some of the elements, where they are mapped; those that are stored in fewer bytes in new
   * memory.
   *
   * @throws IndexOutOfBoundsException if the range is not within the file
   */
  public MemorySegment piece(long from, long to) {
    return piece(from, to, Arena.ofAuto());
  }

  /**
   * Reads elements into memory, as many as it has room for, without the mapping: a file that is cut
   * off causes an exception.
   *
   * @param from the position of the first element
   * @throws IndexOutOfBoundsException if they are not within the file
   * @throws FileChangedException if the file has ended before them
   * @throws IOException if they cannot be read
   */
  public void read(long from, MemorySegment into) throws IOException {
    MemorySegment stored = stored(from, from + ElementMemory.count(into, type()));
    if (offset == NOWHERE) {
      storage.widen(stored, into);
      return;
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer block = ByteBuffer.allocate((int) Math.min(BLOCK, stored.byteSize()));
      long begin = offset + from * storage.bytes();
      for (long at = 0; at < stored.byteSize(); at += block.position()) {
        block.clear().limit((int) Math.min(block.capacity(), stored.byteSize() - at));
        while (block.hasRemaining()) {
          long next = begin + at + block.position();
          if (channel.read(block, next) < 0) {
            throw new FileChangedException(path, "it has ended at byte %s".formatted(next));
          }
        }
        long size = block.position() / storage.bytes() * (long) type().bytes();
        storage.widen(
            MemorySegment.ofArray(block.array()).asSlice(0, block.position()),
            into.asSlice(at / storage.bytes() * type().bytes(), size));
      }
    } catch (IOException e) {
      requireUnchanged(); // which says more about a file that is shorter, or gone
      throw e instanceof FileChangedException ? e : WholeFile.failed(path, "read", e);
    }
  }

  /**
   * Checks that the file is still the one that was opened, by its size, modification time and
   * identity. A change within the time resolution of the file system after opening is not detected.
   *
   * @throws FileChangedException if the file has changed or does not exist any more
   */
  @Override
  public void requireUnchanged() throws IOException {
    BasicFileAttributes now;
    try {
      now = attributes(path);
    } catch (NoSuchFileException e) {
      throw new FileChangedException(path, "it is gone");
    }
    if (now.size() != before.size()) {
      throw new FileChangedException(
          path, "size was %s bytes, is %s".formatted(before.size(), now.size()));
    }
    if (!now.lastModifiedTime().equals(before.lastModifiedTime())) {
      throw new FileChangedException(
          path,
          "modified at %s, then at %s"
              .formatted(before.lastModifiedTime(), now.lastModifiedTime()));
    }
    if (!Objects.equals(now.fileKey(), before.fileKey())) {
      throw new FileChangedException(path, "another file has taken its name");
    }
  }

  /** Unmaps the file. */
  @Override
  public void close() {
    arena.close();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
