package funnel.io;

import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Objects;
import java.util.Optional;

/** Elements of one type in memory, by their positions. */
record ElementMemory(MemorySegment segment, ElementType type) implements Source, Sink {

  /** A thread that owns no memory. */
  static final Thread NOBODY = new Thread();

  ElementMemory {
    Objects.requireNonNull(segment, "segment");
    count(segment, Objects.requireNonNull(type, "type"));
    if (!segment.isAccessibleBy(NOBODY)) {
      throw new IllegalArgumentException(
          "memory confined to one thread: other threads read and write pieces too, so take it from"
              + " Arena.ofShared() or ofAuto()");
    }
  }

  /**
   * The number of elements in a segment.
   *
   * @throws IllegalArgumentException if its size is not a multiple of the element size
   */
  static long count(MemorySegment segment, ElementType type) {
    if (segment.byteSize() % type.bytes() != 0) {
      throw new IllegalArgumentException(
          "not a whole number of %s elements: bytes=%s, bytes per element=%s"
              .formatted(type, segment.byteSize(), type.bytes()));
    }
    return segment.byteSize() / type.bytes();
  }

  /**
   * Some of the elements in a segment.
   *
   * @param what names the elements in the message
   * @throws IndexOutOfBoundsException if the range is not within the segment
   */
  static MemorySegment range(
      Object what, MemorySegment segment, ElementType type, long from, long to) {
    requireRange(what, from, to, segment.byteSize() / type.bytes());
    return segment.asSlice(from * type.bytes(), (to - from) * type.bytes());
  }

  static void requireRange(Object what, long from, long to, long length) {
    if (from < 0 || to < from || to > length) {
      throw new IndexOutOfBoundsException(
          "range outside %s: from=%s, to=%s, length=%s".formatted(what, from, to, length));
    }
  }

  @Override
  public long length() {
    return segment.byteSize() / type.bytes();
  }

  @Override
  public MemorySegment piece(long from, long to, SegmentAllocator room) {
    return range(this, segment, type, from, to);
  }

  @Override
  public void write(long from, MemorySegment elements) {
    range(this, segment, type, from, from + count(elements, type)).copyFrom(elements);
  }

  @Override
  public Optional<MemorySegment> memory(long from, long to) {
    return Optional.of(range(this, segment, type, from, to));
  }

  @Override
  public boolean isOverwrittenBy(Sink sink, long from) {
    MemorySegment written = sink.memory(0, sink.length()).orElse(MemorySegment.NULL);
    return segment.asOverlappingSlice(written).isPresent()
        && (written.address() - segment.address() + from * type.bytes() > 0
            || sink.type().bytes() > type.bytes());
  }

  @Override
  public String toString() {
    return type + "[" + length() + "]";
  }
}
