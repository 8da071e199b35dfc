package funnel.io;

import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@code .npy} file that is written part after part, so that it may be larger than memory. It
 * appears under its name when it is {@linkplain #commit complete}; until then its elements are in a
 * hidden file beside it, which goes away with {@link #close}, or with the JVM.
 *
 * {@snippet class="funnel.docs.NpySnippets" region="output"}
 *
 * <p>Used by one thread.
 */
public final class NpyOutput implements AutoCloseable {

  /* Elements go through a channel and not through a mapping: a disk that is full is then an
   * IOException that says so, and not a signal.
   */

  private static final Logger LOG = LoggerFactory.getLogger(NpyOutput.class);
  private static final long LARGEST_WRITE = 1 << 26;

  private final Path file;
  private final Path part;
  private final FileChannel channel;
  private final Thread cleaner;
  private final long expected;
  private long written;
  private boolean committed;

  private NpyOutput(Path file, Path part, FileChannel channel, long expected) {
    this.file = file;
    this.part = part;
    this.channel = channel;
    this.expected = expected;
    this.cleaner = new Thread(this::deletePart, "funnel-npy-cleaner");
  }

  /**
   * Begins a file, in C order.
   *
   * @param file the file; nothing happens to one that is there before {@link #commit}
   * @param type the elements' type
   * @param shape the lengths of the dimensions; none for a single value
   * @throws IllegalArgumentException if a length is negative, or all together are more elements
   *     than can be counted in bytes
   * @throws IOException if no file can be made in that folder
   */
  public static NpyOutput create(Path file, ElementType type, long... shape) throws IOException {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(type, "type");
    List<Long> lengths = LongStream.of(shape).boxed().toList();
    long expected = bytes(type, lengths);
    Path whole = file.toAbsolutePath();
    Path part = WholeFile.partOf(whole);
    FileChannel channel =
        FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    NpyOutput output = new NpyOutput(whole, part, channel, expected);
    try {
      Runtime.getRuntime().addShutdownHook(output.cleaner);
      output.writeFully(ByteBuffer.wrap(NpyHeader.bytes(type, lengths)));
    } catch (Throwable e) {
      output.close();
      throw e;
    }
    return output;
  }

  /**
   * The elements' bytes.
   *
   * @throws IllegalArgumentException if a length is negative, or there are too many elements
   */
  static long bytes(ElementType type, List<Long> shape) {
    if (shape.stream().anyMatch(length -> length < 0)) {
      throw new IllegalArgumentException("negative length in shape=%s".formatted(shape));
    }
    try {
      return Math.multiplyExact(new NpyHeader(type, false, shape, 0).length(), (long) type.bytes());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("too many elements in shape=%s".formatted(shape), e);
    }
  }

  /**
   * Writes the elements that follow.
   *
   * @param elements little-endian
   * @throws IllegalArgumentException if they are more than the shape has
   * @throws IOException if they cannot be written
   */
  public void append(MemorySegment elements) throws IOException {
    if (elements.byteSize() > expected - written) {
      throw new IllegalArgumentException(
          "more elements than the shape of %s has: bytes=%d after bytes=%d, of bytes=%d"
              .formatted(file, elements.byteSize(), written, expected));
    }
    for (long at = 0; at < elements.byteSize(); at += LARGEST_WRITE) {
      long size = Math.min(LARGEST_WRITE, elements.byteSize() - at);
      writeFully(buffer(elements.asSlice(at, size)));
    }
    written += elements.byteSize();
  }

  /** Views of int arrays and the like as bytes exist in copies only. */
  private static ByteBuffer buffer(MemorySegment data) {
    return data.isNative()
        ? data.asByteBuffer()
        : ByteBuffer.wrap(data.toArray(ValueLayout.JAVA_BYTE));
  }

  private void writeFully(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /**
   * Gives the file its name, now that all elements are written and on the disk.
   *
   * @param replace whether it may take the place of a file that is there
   * @throws IllegalStateException if elements are missing
   * @throws java.nio.file.FileAlreadyExistsException if there is such a file, and it may not
   * @throws IOException if the file cannot be brought to the disk or be renamed
   */
  public void commit(boolean replace) throws IOException {
    if (written != expected) {
      throw new IllegalStateException(
          "%s is not complete: bytes=%d of bytes=%d".formatted(file, written, expected));
    }
    channel.force(true);
    channel.close();
    if (replace) {
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } else {
      Files.move(part, file);
    }
    committed = true;
  }

  /** Takes away what was written, unless it was {@linkplain #commit committed}. */
  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      if (!committed) {
        Files.deleteIfExists(part);
      }
      try {
        Runtime.getRuntime().removeShutdownHook(cleaner);
      } catch (IllegalStateException e) {
        /* the JVM is going down, and the hook has nothing left to do */
      }
    }
  }

  private void deletePart() {
    try {
      Files.deleteIfExists(part);
    } catch (IOException e) {
      LOG.warn("cannot delete {}: {}", part, e.toString());
    }
  }
}
