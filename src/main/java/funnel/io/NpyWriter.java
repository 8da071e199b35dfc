package funnel.io;

import funnel.operator.ElementType;
import funnel.operator.Storage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * Writes {@code .npy} files.
 *
 * {@snippet class="funnel.docs.NpySnippets" region="writer"}
 */
public final class NpyWriter {

  private NpyWriter() {}

  /**
   * Writes elements in C order. The file appears under its name when it is complete, replacing an
   * existing one; if anything fails, nothing has changed.
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
    write(file, Storage.of(Objects.requireNonNull(type, "type")), data, shape);
  }

  /**
   * Writes elements likewise, narrowed to numbers that are stored in fewer bytes.
   *
   * @param file the file
   * @param storage how numbers are stored
   * @param data the elements, little-endian
   * @param shape the lengths of the dimensions; none for a single value
   * @throws IllegalArgumentException if the shape has another number of elements than {@code data},
   *     or a negative length
   * @throws ArithmeticException if an element does not fit, with its position
   * @throws IOException if the file cannot be written
   */
  public static void write(Path file, Storage<?> storage, MemorySegment data, long... shape)
      throws IOException {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(storage, "storage");
    Objects.requireNonNull(data, "data");
    requireFits(storage.elements(), data, LongStream.of(shape).boxed().toList());
    try (ElementOutput output = ElementOutput.create(file, storage, shape)) {
      output.append(data);
      output.commit(true);
    }
  }

  private static void requireFits(ElementType type, MemorySegment data, List<Long> shape) {
    long bytes = ElementOutput.bytes(Storage.of(type), shape);
    if (bytes != data.byteSize()) {
      throw new IllegalArgumentException(
          "shape does not fit the data: shape=%s of %s needs bytes=%s, data has bytes=%s"
              .formatted(shape, type, bytes, data.byteSize()));
    }
  }
}
