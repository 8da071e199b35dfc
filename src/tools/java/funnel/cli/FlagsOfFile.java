package funnel.cli;

import funnel.io.ElementFile;
import funnel.io.Source;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** Flags of a file's elements: 1 for each that meets a condition, else 0. */
record FlagsOfFile(ElementFile file, Where where) implements Source {

  /* A predicate is compiled into its kernel, but the user's condition is known only at run time: so
   * elements are flagged here, on the JVM, and the engine selects by the flags.
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
