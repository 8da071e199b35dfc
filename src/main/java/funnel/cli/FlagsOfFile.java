package funnel.cli;

import funnel.io.ElementFile;
import funnel.io.Source;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** Which elements of a file fulfil a condition: 1 or 0 for each. */
record FlagsOfFile(ElementFile file, Where where) implements Source {

  /* A kernel has its predicate compiled in, and what the user types is not known before: so elements
   * are flagged here, on the JVM, and the engine selects by the flags.
   */

  @Override
  public ElementType type() {
    return ElementType.BYTE;
  }

  @Override
  public long length() {
    return file.length();
  }

  @Override
  public MemorySegment piece(long from, long to, SegmentAllocator room) {
    MemorySegment flags = room.allocate(to - from);
    where.flag(file.piece(from, to), flags);
    return flags;
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
