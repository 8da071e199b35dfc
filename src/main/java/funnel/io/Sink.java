package funnel.io;

import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A destination of elements of one type that is written piece by piece, at 64-bit positions: an
 * {@link ElementOutput}, or memory. It may have more elements than an array.
 *
 * {@snippet class="funnel.docs.StreamSnippets" region="sink"}
 *
 * <p>Written by one thread at a time, but not always by the same thread.
 */
public interface Sink {

  /**
   * Memory for elements: all of a memory segment; for an array use {@code MemorySegment.ofArray}.
   *
   * @throws IllegalArgumentException if it is read-only, its size is not a multiple of the element
   *     size, or it is confined to one thread
   */
  static Sink of(MemorySegment memory, ElementType type) {
    if (memory.isReadOnly()) {
      throw new IllegalArgumentException("memory is read-only: give a sink memory to write to");
    }
    return new ElementMemory(memory, type);
  }

  /** The elements' type. */
  ElementType type();

  /** The number of elements that it takes. */
  long length();

  /**
   * Writes elements: to a file one piece after the other, to memory in any order.
   *
   * @param from the position of the first element
   * @param elements little-endian
   * @throws IndexOutOfBoundsException if they are not within the sink
   * @throws IllegalArgumentException if they are not a whole number of elements, or a file's piece
   *     does not follow the one before
   * @throws IOException if they cannot be written, with the file's name
   */
  void write(long from, MemorySegment elements) throws IOException;

  /**
   * The memory of elements, if the sink is memory: they may then be computed there, little-endian,
   * instead of being written; a selection computes as many as are kept.
   *
   * @param from the position of the first element
   * @param to the position after the last element
   * @throws IndexOutOfBoundsException if the range is not within the sink
   */
  default Optional<MemorySegment> memory(long from, long to) {
    return Optional.empty();
  }
}
