package funnel.io;

import funnel.file.WholeFile;
import funnel.operator.ElementType;
import funnel.operator.Storage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A file of elements, {@code .npy} or raw, that is written part by part, so that it may be larger
 * than memory. It appears under its name when it is {@linkplain #commit complete}; until then its
 * elements are in a hidden file in the same folder, which {@link #close} or the end of the JVM
 * deletes.
 *
 * {@snippet class="funnel.docs.NpySnippets" region="output"}
 *
 * <p>Used by one thread at a time.
 */
public final class ElementOutput implements Sink, AutoCloseable {

  /* Elements are written through a channel, not a mapping: a full disk then causes an IOException
   * that says so, not a signal.
   */

  private static final long LARGEST_WRITE = 1 << 26;

  /** The bytes of an array that are copied at a time. */
  private static final int LARGEST_COPY = 1 << 20;

  private final Path file;
  private final WholeFile whole;
  private final Storage<?> storage;
  private final int dimensions;
  private final int header;
  private long expected;
  private long written;
  private @Nullable MemorySegment copy;

  private ElementOutput(
      Path file, WholeFile whole, Storage<?> storage, int dimensions, int header, long expected) {
    this.file = file;
    this.whole = whole;
    this.storage = storage;
    this.dimensions = dimensions;
    this.header = header;
    this.expected = expected;
  }

  /**
   * Begins a file, in C order.
   *
   * @param file the file; an existing file is untouched until {@link #commit}
   * @param type the elements' type
   * @param shape the lengths of the dimensions; none for a single value
   * @throws IllegalArgumentException if a length is negative, or the number of bytes does not fit a
   *     long
   * @throws IOException if the file cannot be created in its folder, or its name is that of a
   *     folder
   */
  public static ElementOutput create(Path file, ElementType type, long... shape)
      throws IOException {
    return create(file, Storage.of(Objects.requireNonNull(type, "type")), shape);
  }

  /**
   * Begins a file, in C order, of elements that are narrowed when they are written: ints into a
   * file of int16. A write throws an ArithmeticException for an element that does not fit, with its
   * position.
   *
   * @param file the file; an existing file is untouched until {@link #commit}
   * @param storage how numbers are stored
   * @param shape the lengths of the dimensions; none for a single value
   * @throws IllegalArgumentException if a length is negative, or the number of bytes does not fit a
   *     long
   * @throws IOException if the file cannot be created in its folder, or its name is that of a
   *     folder
   */
  public static ElementOutput create(Path file, Storage<?> storage, long... shape)
      throws IOException {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(storage, "storage");
    List<Long> lengths = LongStream.of(shape).boxed().toList();
    return create(file, storage, lengths, NpyHeader.bytes(storage, lengths), false);
  }

  /**
   * Begins a file that contains only little-endian elements.
   *
   * @param length the number of elements
   * @throws IllegalArgumentException if the length is negative, or the number of bytes does not fit
   *     a long
   * @throws IOException as {@link #create}
   */
  public static ElementOutput createRaw(Path file, ElementType type, long length)
      throws IOException {
    return createRaw(file, Storage.of(Objects.requireNonNull(type, "type")), length);
  }

  /** Begins such a file of elements that are narrowed when they are written. */
  public static ElementOutput createRaw(Path file, Storage<?> storage, long length)
      throws IOException {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(storage, "storage");
    return create(file, storage, List.of(length), new byte[0], false);
  }

  /**
   * Begins a file that contains only little-endian elements and will never be committed: the system
   * need not write it to the disk.
   *
   * @throws IllegalArgumentException as {@link #createRaw}
   * @throws IOException as {@link #create}
   */
  public static ElementOutput createTemporary(Path file, ElementType type, long length)
      throws IOException {
    return create(file, Storage.of(type), List.of(length), new byte[0], true);
  }

  private static ElementOutput create(
      Path file, Storage<?> storage, List<Long> shape, byte[] header, boolean isTemporary)
      throws IOException {
    long expected = bytes(storage, shape);
    WholeFile whole = WholeFile.create(file, isTemporary);
    try {
      whole.write(ByteBuffer.wrap(header));
      return new ElementOutput(file, whole, storage, shape.size(), header.length, expected);
    } catch (Throwable e) {
      whole.close();
      throw e;
    }
  }

  /**
   * The elements' bytes.
   *
   * @throws IllegalArgumentException if a length is negative, or there are too many elements
   */
  static long bytes(Storage<?> storage, List<Long> shape) {
    if (shape.stream().anyMatch(length -> length < 0)) {
      throw new IllegalArgumentException("negative length in shape=%s".formatted(shape));
    }
    try {
      return Math.multiplyExact(
          new NpyHeader(storage, false, shape, 0).length(), (long) storage.bytes());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("too many elements in shape=%s".formatted(shape), e);
    }
  }

  @Override
  public ElementType type() {
    return storage.elements();
  }

  @Override
  public long length() {
    return expected / storage.bytes();
  }

  /**
   * Ends the file with the elements that are written, if their number was unknown before: for a
   * file of one dimension that was created with an upper bound as its length. Writes the header of
   * a {@code .npy} file again, with the actual length.
   *
   * @throws IllegalStateException if it does not have exactly one dimension
   * @throws IOException if the header cannot be written
   */
  public void end() throws IOException {
    if (dimensions != 1) {
      throw new IllegalStateException(
          "%s has %s dimensions: only a file of one can end early".formatted(file, dimensions));
    }
    if (header > 0) {
      /* The header of one dimension has 128 bytes, whatever the length. */
      whole.rewrite(ByteBuffer.wrap(NpyHeader.bytes(storage, List.of(written / storage.bytes()))));
    }
    expected = written;
  }

  @Override
  public void write(long from, MemorySegment elements) throws IOException {
    ElementMemory.requireRange(file, from, from + ElementMemory.count(elements, type()), length());
    if (from * storage.bytes() != written) {
      throw new IllegalArgumentException(
          "%s takes one piece after the other: from=%s, written=%s"
              .formatted(file, from, written / storage.bytes()));
    }
    append(elements);
  }

  /**
   * Appends elements.
   *
   * @param elements little-endian
   * @throws IllegalArgumentException if there are more than the shape has
   * @throws ArithmeticException if one does not fit the file's storage, with its position; nothing
   *     more can be written then
   * @throws IOException if they cannot be written
   */
  public void append(MemorySegment elements) throws IOException {
    long stored = elements.byteSize() / type().bytes() * storage.bytes();
    if (stored > expected - written) {
      throw new IllegalArgumentException(
          "more elements than the shape of %s has: bytes=%s after bytes=%s, of bytes=%s"
              .formatted(file, stored, written, expected));
    }
    // of arrays the JVM would copy all to memory outside the heap
    long most = elements.isNative() ? LARGEST_WRITE : LARGEST_COPY;
    for (long at = 0; at < elements.byteSize(); at += most) {
      long size = Math.min(most, elements.byteSize() - at);
      whole.write(stored(elements.asSlice(at, size), at / type().bytes()));
    }
    written += stored;
  }

  private ByteBuffer stored(MemorySegment elements, long before) {
    if (!storage.isNarrow() && storage != Storage.BOOL) {
      return buffer(elements);
    }
    byte[] bytes = new byte[(int) (elements.byteSize() / type().bytes()) * storage.bytes()];
    if (!storage.narrow(elements, MemorySegment.ofArray(bytes))) {
      storage.requireFit(elements, written / storage.bytes() + before);
    }
    return ByteBuffer.wrap(bytes);
  }

  /**
   * The elements that are written, mapped for reading before they are {@linkplain #commit
   * committed}, or without ever being committed: for temporary data that is larger than memory. A
   * file that is not committed is deleted by {@link #close} or the end of the JVM.
   *
   * @param arena unmaps them when it is closed
   * @return little-endian elements, read-only
   * @throws IOException if they cannot be mapped
   */
  public MemorySegment written(Arena arena) throws IOException {
    MemorySegment stored = whole.map(header, arena);
    if (!storage.isNarrow()) {
      return stored;
    }
    long bytes = stored.byteSize() / storage.bytes() * type().bytes();
    MemorySegment elements = arena.allocate(bytes, type().bytes());
    storage.widen(stored, elements);
    return elements.asReadOnly();
  }

  /** Int arrays and the like can be viewed as bytes only after a copy. */
  private ByteBuffer buffer(MemorySegment data) {
    if (data.isNative()) {
      return data.asByteBuffer();
    }
    if (copy == null) {
      copy = Arena.ofAuto().allocate(LARGEST_COPY);
    }
    return copy.asSlice(0, data.byteSize()).copyFrom(data).asByteBuffer();
  }

  /**
   * Forces all elements to the disk and gives the file its name.
   *
   * @param replace whether it may replace an existing file
   * @throws IllegalStateException if elements are missing
   * @throws java.nio.file.FileAlreadyExistsException if the file exists and must not be replaced
   * @throws IOException if the file cannot be forced to the disk or renamed
   */
  public void commit(boolean replace) throws IOException {
    if (written != expected) {
      throw new IllegalStateException(
          "%s is not complete: bytes=%s of bytes=%s".formatted(file, written, expected));
    }
    whole.commit(replace);
  }

  /** Deletes what was written, unless it was {@linkplain #commit committed}. */
  @Override
  public void close() throws IOException {
    whole.close();
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
