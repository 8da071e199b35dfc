package funnel.io;

import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Objects;

/** Elements that are computed when they are read. */
record GeneratedSource(ElementType type, long length, Filler filler) implements Source {

  GeneratedSource {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(filler, "filler");
    if (length < 0) {
      throw new IllegalArgumentException(
          "negative length of a source: length=%s".formatted(length));
    }
  }

  @Override
  public MemorySegment piece(long from, long to, SegmentAllocator room) throws IOException {
    ElementMemory.requireRange(this, from, to, length);
    MemorySegment piece = room.allocate((to - from) * type.bytes(), type.bytes());
    filler.fill(from, piece);
    return piece;
  }

  @Override
  public String toString() {
    return "generated " + type + "[" + length + "]";
  }
}
