package funnel.cli;

import funnel.io.ElementFile;
import funnel.io.Source;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/** The bytes of a file as ints from 0 to 255. */
record WidenedBytes(ElementFile file) implements Source {

  @Override
  public ElementType type() {
    return ElementType.INT;
  }

  @Override
  public long length() {
    return file.length();
  }

  @Override
  public MemorySegment piece(long from, long to, SegmentAllocator room) {
    byte[] bytes = file.piece(from, to).toArray(ValueLayout.JAVA_BYTE);
    MemorySegment ints = room.allocate((to - from) * Integer.BYTES, Integer.BYTES);
    for (int i = 0; i < bytes.length; i++) {
      ints.setAtIndex(ValueLayout.JAVA_INT, i, bytes[i] & 0xff);
    }
    return ints;
  }

  @Override
  public void requireUnchanged() throws IOException {
    file.requireUnchanged();
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
