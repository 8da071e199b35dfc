package funnel.cli;

import funnel.io.ElementFile;
import funnel.io.Source;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.function.BiConsumer;

/**
 * An element for each of a file's.
 *
 * @param compute makes elements of a piece of the file's, on the JVM, of which it only copies from
 */
record ComputedElements(
    Source file, ElementType type, BiConsumer<MemorySegment, MemorySegment> compute)
    implements Source {

  private static final int BLOCK = 1 << 14;

  /**
   * Flags: 1 for each element that meets a condition, else 0. A predicate is compiled into its
   * kernel, but the user's condition is known only at run time: so the engine selects by flags.
   */
  static ComputedElements flags(ElementFile file, Where where) {
    return new ComputedElements(file, ElementType.BYTE, where::flag);
  }

  /** Bytes as ints from 0 to 255. */
  static ComputedElements unsigned(ElementFile bytes) {
    return new ComputedElements(
        bytes,
        ElementType.INT,
        (from, to) -> {
          byte[] block = new byte[(int) Math.min(BLOCK, from.byteSize())];
          for (long at = 0; at < from.byteSize(); at += BLOCK) {
            int count = (int) Math.min(BLOCK, from.byteSize() - at);
            MemorySegment.copy(from, ValueLayout.JAVA_BYTE, at, block, 0, count);
            for (int i = 0; i < count; i++) {
              to.setAtIndex(ValueLayout.JAVA_INT, at + i, block[i] & 0xff);
            }
          }
        });
  }

  @Override
  public long length() {
    return file.length();
  }

  @Override
  public Source copied() {
    return new ComputedElements(file.copied(), type, compute);
  }

  @Override
  public MemorySegment piece(long from, long to, SegmentAllocator room) throws IOException {
    MemorySegment elements = room.allocate((to - from) * type.bytes(), type.bytes());
    compute.accept(file.piece(from, to, room), elements);
    return elements;
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
