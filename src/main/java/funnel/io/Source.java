package funnel.io;

import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/**
 * A source of elements of one type that is read piece by piece, at 64-bit positions: an {@link
 * ElementFile}, several sources, memory, or computed elements. It may have more elements than an
 * array.
 *
 * {@snippet class="funnel.docs.StreamSnippets" region="source"}
 *
 * <p>Messages name a source by {@code toString()}. Read by one thread at a time, but not always by
 * the same thread.
 */
public interface Source {

  /**
   * Elements in memory: all of a memory segment; for an array use {@code MemorySegment.ofArray}.
   *
   * @throws IllegalArgumentException if its size is not a multiple of the element size, or it is
   *     confined to one thread
   */
  static Source of(MemorySegment elements, ElementType type) {
    return new ElementMemory(elements, type);
  }

  /**
   * Several sources as one, the elements of the first source first.
   *
   * @throws IllegalArgumentException if there is no source, they differ in type, or have more than
   *     2^63 - 1 elements together
   */
  static Source concatenated(List<? extends Source> parts) {
    return ConcatenatedSource.of(parts);
  }

  /**
   * Elements that are computed whenever they are read.
   *
   * @param filler computes them
   * @throws IllegalArgumentException if the length is negative
   */
  static Source generated(ElementType type, long length, Filler filler) {
    return new GeneratedSource(type, length, filler);
  }

  /** Computes elements by their positions. */
  @FunctionalInterface
  interface Filler {
    /**
     * Computes all elements of a piece.
     *
     * @param from the position of the first element
     * @param piece memory for them, little-endian, with undefined contents
     * @throws IOException if they cannot be computed
     */
    void fill(long from, MemorySegment piece) throws IOException;
  }

  /** The elements' type. */
  ElementType type();

  /** The number of elements. */
  long length();

  /**
   * Some of the elements, little-endian: in the source's own memory, or copied. They stay valid as
   * long as the memory of {@code room} does.
   *
   * @param from the position of the first element
   * @param to the position after the last element
   * @param room allocates memory for a source that has none of its own
   * @return exactly the elements requested: a stream throws for fewer or more
   * @throws IndexOutOfBoundsException if the range is not within the source
   * @throws IOException if they cannot be read, with the source's name
   */
  MemorySegment piece(long from, long to, SegmentAllocator room) throws IOException;

  /**
   * This source for a reader that does nothing with the memory of a piece but copy from it, as with
   * {@link MemorySegment#copyFrom}: a file's may then be mapped, and if the file is cut off, such a
   * copy throws an InternalError. Any other access could end the JVM.
   */
  default Source copied() {
    return this;
  }

  /**
   * Whether writing to a sink would overwrite elements of this source before they are read, if
   * element {@code n} of the sink is written as soon as element {@code from + n} has been read.
   * Only memory can be both source and sink.
   *
   * @param from the position of this source's first element in all that is read, of which it may be
   *     a part
   */
  default boolean isOverwrittenBy(Sink sink, long from) {
    return false;
  }

  /**
   * Checks, if possible, that the source has not changed since it was opened.
   *
   * @throws FileChangedException if it has
   */
  default void requireUnchanged() throws IOException {}
}
