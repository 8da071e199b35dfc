package funnel.io;

import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Writes {@code .npy} files.
 *
 * {@snippet :
 * NpyWriter.write(
 *     Path.of("m.npy"), ElementType.INT, MemorySegment.ofArray(new int[] {1, 2, 3, 4}), 2, 2);
 * }
 */
public final class NpyWriter {

  private static final long LARGEST_WRITE = 1 << 26;

  private NpyWriter() {}

  /**
   * Writes elements in C order. The file appears under its name when it is complete, in place of
   * one that was there; if anything fails, nothing has changed.
   *
   * @param file the file
   * @param type the elements' type
   * @param data the elements, little-endian
   * @param shape the lengths of the dimensions; none for a single value
   * @throws IllegalArgumentException if the shape has another number of elements than {@code data},
   *     or a negative length
   * @throws IOException if the file cannot be written
   */
  public static void write(Path file, ElementType type, MemorySegment data, long... shape)
      throws IOException {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(data, "data");
    List<Long> lengths = LongStream.of(shape).boxed().toList();
    requireFits(type, data, lengths);
    Path whole = file.toAbsolutePath();
    Path part = whole.resolveSibling("." + whole.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      try (FileChannel channel =
          FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        writeFully(channel, ByteBuffer.wrap(NpyHeader.bytes(type, lengths)));
        for (long at = 0; at < data.byteSize(); at += LARGEST_WRITE) {
          long size = Math.min(LARGEST_WRITE, data.byteSize() - at);
          writeFully(channel, buffer(data.asSlice(at, size)));
        }
        channel.force(true);
      }
      Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void requireFits(ElementType type, MemorySegment data, List<Long> shape) {
    if (shape.stream().anyMatch(length -> length < 0)) {
      throw new IllegalArgumentException("negative length in shape=%s".formatted(shape));
    }
    NpyHeader header = new NpyHeader(type, false, shape, 0);
    long bytes;
    try {
      bytes = Math.multiplyExact(header.length(), (long) type.bytes());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("too many elements in shape=%s".formatted(shape), e);
    }
    if (bytes != data.byteSize()) {
      throw new IllegalArgumentException(
          "shape does not fit the data: shape=%s of %s needs bytes=%d, data has bytes=%d"
              .formatted(shape, type, bytes, data.byteSize()));
    }
  }

  /** Views of int arrays and the like as bytes exist in copies only. */
  private static ByteBuffer buffer(MemorySegment data) {
    return data.isNative()
        ? data.asByteBuffer()
        : ByteBuffer.wrap(data.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
  }

  private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
