package funnel.io;

import funnel.file.Background;
import funnel.file.WholeFile;
import funnel.operator.ElementType;
import funnel.operator.Storage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file of elements of one type, whose parts are read into memory: it may be larger than the heap,
 * the memory, or an array.
 *
 * {@snippet class="funnel.docs.NpySnippets" region="file"}
 *
 * <p>The file must not change while it is open; {@link #requireUnchanged} checks that. If a part is
 * cut off, reading it throws a {@link FileChangedException} with the length that the file had and
 * the one that it has; a stream throws a {@link StreamException} with that cause.
 *
 * <p>Thread-safe. After closing, reading throws an IllegalStateException.
 */
public final class ElementFile implements Source, AutoCloseable {

  /* Where a mapped file is cut off, a load of its elements ends the JVM by a signal, except in the
   * JVM's own copies, which throw an InternalError. So memory that anybody may load from is our own:
   * several threads read large parts into it, in blocks that fit a core's cache. Only what our loops
   * on the JVM copy in blocks, and what is copied to a device, is mapped: in memory of our own it
   * would be written, and come from beyond the caches again, which takes four times as long as a
   * sum of a file in the system's cache, and twice as long as a sum on a device.
   */

  private static final int BLOCK = 1 << 20;

  /** The number of bytes for which another reading thread pays off. */
  private static final long READ_BY_ONE = 16L << 20;

  private static final int MOST_READING = Runtime.getRuntime().availableProcessors();

  private final Path path;
  private final Storage<?> storage;
  private final Optional<NpyHeader> header;
  private final long length;
  private final long offset;
  private final @Nullable MemorySegment data;
  private final Arena arena;
  private final BasicFileAttributes before;
  private @Nullable MemorySegment mapping;

  private ElementFile(
      Path path,
      Storage<?> storage,
      Optional<NpyHeader> header,
      long length,
      long offset,
      @Nullable MemorySegment data,
      Arena arena,
      BasicFileAttributes before) {
    this.path = path;
    this.storage = storage;
    this.header = header;
    this.length = length;
    this.offset = offset;
    this.data = data;
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
   * Opens a {@code .npy} file. Elements come in the order of the file, which in Fortran order is
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
      return file(path, header.storage(), Optional.of(header), header.dataOffset(), before);
    }
  }

  /**
   * Opens a file that contains only little-endian elements.
   *
   * @throws FileFormatException if its size is not a multiple of the element size
   * @throws IOException if it cannot be read
   */
  public static ElementFile openRaw(Path path, ElementType type) throws IOException {
    return openRaw(path, Storage.of(Objects.requireNonNull(type, "type")));
  }

  /**
   * Opens a file that contains only little-endian stored numbers, which are widened when they are
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
      return file(path, storage, Optional.empty(), 0, before);
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
    return of(path, Storage.of(type), Optional.empty(), data, arena);
  }

  /**
   * Elements of an array that is a {@code .npy} in a file of another format.
   *
   * @throws IOException if the file is gone
   */
  static ElementFile of(Path path, NpyHeader header, MemorySegment data, Arena arena)
      throws IOException {
    return of(path, header.storage(), Optional.of(header), data, arena);
  }

  private static ElementFile of(
      Path path, Storage<?> storage, Optional<NpyHeader> header, MemorySegment data, Arena arena)
      throws IOException {
    long length = data.byteSize() / storage.bytes();
    return new ElementFile(path, storage, header, length, 0, data, arena, attributes(path));
  }

  private static ElementFile file(
      Path path,
      Storage<?> storage,
      Optional<NpyHeader> header,
      long from,
      BasicFileAttributes before)
      throws IOException {
    long length = (before.size() - from) / storage.bytes();
    ElementFile file =
        new ElementFile(path, storage, header, length, from, null, Arena.ofShared(), before);
    file.requireUnchanged();
    return file;
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      throw new FileFormatException(path, -1, -1, "not a regular file, whose parts can be read");
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
    return length;
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
  public MemorySegment piece(long from, long to, SegmentAllocator room) throws IOException {
    ElementMemory.requireRange(this, from, to, length);
    if (data != null && !storage.isNarrow()) {
      return stored(data, from, to);
    }
    MemorySegment elements = room.allocate((to - from) * type().bytes(), type().bytes());
    read(from, elements);
    return elements;
  }

  private MemorySegment stored(MemorySegment all, long from, long to) {
    return all.asSlice(from * storage.bytes(), (to - from) * storage.bytes());
  }

  /**
   * Some of the elements, in new memory if they are not in memory already.
   *
   * @throws IndexOutOfBoundsException if the range is not within the file
   * @throws IOException as {@link #read}
   */
  public MemorySegment piece(long from, long to) throws IOException {
    return piece(from, to, Arena.ofAuto());
  }

  /**
   * Reads elements into memory, as many as it has room for.
   *
   * @param from the position of the first element
   * @throws IndexOutOfBoundsException if they are not within the file
   * @throws FileChangedException if the file has ended before them
   * @throws InterruptedIOException if the thread is interrupted, and stays so
   * @throws IOException if they cannot be read
   */
  public void read(long from, MemorySegment into) throws IOException {
    long count = ElementMemory.count(into, type());
    ElementMemory.requireRange(this, from, from + count, length);
    if (!arena.scope().isAlive()) {
      throw new IllegalStateException(path + " is closed: read it before");
    }
    if (data != null) {
      storage.widen(stored(data, from, from + count), into);
      return;
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      read(channel, from, count, into);
    } catch (AsynchronousCloseException | InterruptedIOException e) {
      throw new InterruptedIOException("interrupted while reading " + path);
    } catch (IOException e) {
      requireUnchanged(); // which says more about a file that is shorter, or gone
      throw e instanceof FileChangedException ? e : WholeFile.failed(path, "read", e);
    }
  }

  @Override
  public Source copied() {
    return data == null && !storage.isNarrow() ? new Mapped() : this;
  }

  /** The file for readers that only copy its elements. */
  private final class Mapped implements Source {
    @Override
    public ElementType type() {
      return ElementFile.this.type();
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public MemorySegment piece(long from, long to, SegmentAllocator room) throws IOException {
      ElementMemory.requireRange(this, from, to, length);
      return stored(mapping(), from, to);
    }

    @Override
    public void requireUnchanged() throws IOException {
      ElementFile.this.requireUnchanged();
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  private synchronized MemorySegment mapping() throws IOException {
    MemorySegment all = mapping;
    if (all == null) {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
        all = channel.map(FileChannel.MapMode.READ_ONLY, offset, length * storage.bytes(), arena);
      }
      mapping = all;
    }
    return all;
  }

  /** Reads with other threads, if they may write to the memory. */
  private void read(FileChannel channel, long from, long count, MemorySegment into)
      throws IOException {
    long part =
        into.isAccessibleBy(ElementMemory.NOBODY)
            ? Math.max(READ_BY_ONE / storage.bytes(), Math.ceilDiv(count, (long) MOST_READING))
            : count;
    List<Background<Boolean>> reading = new ArrayList<>();
    try {
      for (long at = 0; at < count; at += part) {
        long begin = at;
        long end = Math.min(count, at + part);
        reading.add(
            new Background<>(
                "reading " + path,
                end == count ? 0 : Long.MAX_VALUE, // the last part in this thread
                () -> {
                  readBlocks(channel, from, begin, end, into);
                  return true;
                }));
      }
      for (Background<Boolean> each : reading) {
        each.await();
      }
    } finally {
      reading.forEach(Background::close);
    }
  }

  /** Reads elements {@code begin} to {@code end} of {@code into}. */
  private void readBlocks(FileChannel channel, long from, long begin, long end, MemorySegment into)
      throws IOException {
    int most = BLOCK / storage.bytes();
    boolean isDirect = into.isNative() && !storage.isNarrow();
    ByteBuffer copied =
        ByteBuffer.allocate(isDirect ? 0 : (int) Math.min(BLOCK, (end - begin) * storage.bytes()));
    for (long at = begin; at < end; at += most) {
      long count = Math.min(most, end - at);
      MemorySegment elements = into.asSlice(at * type().bytes(), count * type().bytes());
      ByteBuffer block =
          isDirect ? elements.asByteBuffer() : copied.clear().limit((int) count * storage.bytes());
      long first = offset + (from + at) * storage.bytes();
      while (block.hasRemaining()) {
        long next = first + block.position();
        if (channel.read(block, next) < 0) {
          throw new FileChangedException(path, "it has ended at byte %s".formatted(next));
        }
      }
      if (!isDirect) {
        MemorySegment stored = MemorySegment.ofArray(copied.array());
        storage.widen(stored.asSlice(0, block.limit()), elements);
      }
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

  /** Frees its memory; later reading throws an IllegalStateException. */
  @Override
  public void close() {
    arena.close();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
