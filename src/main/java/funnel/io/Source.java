package funnel.io;

import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Elements of one type that are read piece by piece, by 64-bit positions: of an {@link
 * ElementFile}, or in memory. They may be more than an array can have.
 *
 * {@snippet class="funnel.docs.NpySnippets" region="pieces"}
 *
 * <p>Messages name a source by {@code toString()}. Read by one thread at a time, not always by the
 * same.
 */
public interface Source {

  /** Elements in memory: all of a memory segment, of an array as {@code MemorySegment.ofArray}. */
  static Source of(MemorySegment elements, ElementType type) {
    return new ElementMemory(elements, type);
  }

  /** The elements' type. */
  ElementType type();

  /** The number of elements. */
  long length();

  /**
   * Some of the elements, little-endian. They stay as they are until the piece after the next one
   * is read.
   *
   * @param from the first one
   * @param to the one after the last
   * @throws IndexOutOfBoundsException if the range is not within the source
   * @throws IOException if they cannot be read, with the source's name
   */
  MemorySegment piece(long from, long to) throws IOException;

  /**
   * Tells whether all pieces are of what the source was when it was opened, where that is known.
   *
   * @throws FileChangedException if not
   */
  default void requireUnchanged() throws IOException {}
}
