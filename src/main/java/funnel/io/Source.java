package funnel.io;

import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/**
 * Elements of one type that are read piece by piece, by 64-bit positions: of an {@link
 * ElementFile}, of several, in memory, or computed. They may be more than an array can have.
 *
 * {@snippet class="funnel.docs.StreamSnippets" region="source"}
 *
 * <p>Messages name a source by {@code toString()}. Read by one thread at a time, not always by the
 * same.
 */
public interface Source {

  /**
   * Elements in memory: all of a memory segment, of an array as {@code MemorySegment.ofArray}.
   *
   * @throws IllegalArgumentException if its size is no multiple of an element's, or one thread
   *     alone can read it
   */
  static Source of(MemorySegment elements, ElementType type) {
    return new ElementMemory(elements, type);
  }

  /**
   * Several sources as one, the elements of the first one first.
   *
   * @throws IllegalArgumentException if there is none, they differ in type, or are more than 2^63 -
   *     1 elements together
   */
  static Source concatenated(List<? extends Source> parts) {
    return ConcatenatedSource.of(parts);
  }

  /**
   * Elements that are computed when they are read; each as often as it is read.
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
     * @param from the position of the first one
     * @param piece memory for them, little-endian; what it holds is anything
     * @throws IOException if they cannot be had
     */
    void fill(long from, MemorySegment piece) throws IOException;
  }

  /** The elements' type. */
  ElementType type();

  /** The number of elements. */
  long length();

  /**
   * Some of the elements, little-endian: in memory of their own, or copied. They stay as they are
   * as long as the memory of {@code room} does.
   *
   * @param from the first one
   * @param to the one after the last
   * @param room has memory for a source that has none of its own
   * @throws IndexOutOfBoundsException if the range is not within the source
   * @throws IOException if they cannot be read, with the source's name
   */
  MemorySegment piece(long from, long to, SegmentAllocator room) throws IOException;

  /**
   * Whether a sink is written where elements of this are yet to be read, if its {@code n}-th one is
   * written as soon as that {@code from + n} has been read. Only memory can be both.
   *
   * @param from the position in what is read, of which this is a part, of the first element
   */
  default boolean isOverwrittenBy(Sink sink, long from) {
    return false;
  }

  /**
   * Tells whether all pieces are of what the source was when it was opened, where that is known.
   *
   * @throws FileChangedException if not
   */
  default void requireUnchanged() throws IOException {}
}
