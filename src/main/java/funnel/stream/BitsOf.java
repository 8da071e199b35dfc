package funnel.stream;

import funnel.io.Source;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** A source whose floating-point numbers are read as the ints or longs of the same bits. */
record BitsOf(Source source) implements Source {

  @Override
  public ElementType type() {
    return switch (source.type()) {
      case FLOAT -> ElementType.INT;
      case DOUBLE -> ElementType.LONG;
      default -> source.type();
    };
  }

  @Override
  public long length() {
    return source.length();
  }

  @Override
  public Source copied() {
    return new BitsOf(source.copied());
  }

  @Override
  public MemorySegment piece(long from, long to, SegmentAllocator room) throws IOException {
    return source.piece(from, to, room);
  }

  @Override
  public void requireUnchanged() throws IOException {
    source.requireUnchanged();
  }

  @Override
  public String toString() {
    return source.toString();
  }
}
