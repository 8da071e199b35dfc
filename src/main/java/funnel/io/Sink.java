package funnel.io;

import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * What takes elements of one type piece by piece, by 64-bit positions: an {@link ElementOutput}, or
 * memory. They may be more than an array can have.
 *
 * {@snippet class="funnel.docs.StreamSnippets" region="sink"}
 *
 * <p>Written by one thread at a time, not always by the same.
 */
public interface Sink {

  /**
   * Memory for elements: all of a memory segment, of an array as {@code MemorySegment.ofArray}.
   *
   * @throws IllegalArgumentException if it cannot be written, its size is no multiple of an
   *     element's, or one thread alone can write it
   */
  static Sink of(MemorySegment memory, ElementType type) {
    if (memory.isReadOnly()) {
      throw new IllegalArgumentException("memory is read-only: give a sink memory to write to");
    }
    return new ElementMemory(memory, type);
  }

  /** The elements' type. */
  ElementType type();

  /** How many elements it takes. */
  long length();

  /**
   * Writes elements. A file takes them one piece after the other, memory in any order.
   *
   * @param from the position of the first one
   * @param elements little-endian
   * @throws IndexOutOfBoundsException if they are not within the sink
   * @throws IllegalArgumentException if they are no whole number of elements, or a file's piece
   *     does not follow the one before
   * @throws IOException if they cannot be written, with the file's name
   */
  void write(long from, MemorySegment elements) throws IOException;

  /**
   * Where elements are, if that is memory: then they may be computed there, little-endian, instead
   * of being written; of a selection as many as are kept.
   *
   * @param from the first one
   * @param to the one after the last
   * @throws IndexOutOfBoundsException if the range is not within the sink
   */
  default Optional<MemorySegment> memory(long from, long to) {
    return Optional.empty();
  }
}
