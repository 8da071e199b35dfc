package uk.ac.manchester.tornado.api.types.arrays;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * What TornadoVM's arrays outside of the Java heap have in common. A statement of signatures; the
 * element types that Funnel does not use are left out.
 */
public abstract sealed class TornadoNativeArray
    permits ByteArray, DoubleArray, FloatArray, IntArray, LongArray, ShortArray {
  /*
   * A backend finds the elements behind a header as long as an object's on the heap, hence the
   * default of 16 bytes, or 24 where object headers are not compressed. The property
   * tornado.panama.objectHeader overrides it.
   *
   * get and set go through the elements' own segment and not, as in TornadoVM, through the one with
   * the header: TornadoVM lets get(-1) read the header, here it throws. Byte sizes are longs
   * throughout; an element count that is no int is refused instead of being cut.
   */

  /** Bytes before the first element; the first four of them hold the number of elements. */
  public static final long ARRAY_HEADER =
      Long.parseLong(System.getProperty("tornado.panama.objectHeader", defaultHeader()));

  private static String defaultHeader() {
    List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments();
    boolean uncompressed =
        options.contains("-XX:-UseCompressedOops")
            || options.contains("-XX:-UseCompressedClassPointers");
    return uncompressed ? "24" : "16";
  }

  static MemorySegment allocate(int numberOfElements, int elementSize) {
    if (numberOfElements < 0) {
      throw new IllegalArgumentException(
          "numberOfElements=%s is negative".formatted(numberOfElements));
    }
    return Arena.ofAuto()
        .allocate(ARRAY_HEADER + (long) numberOfElements * elementSize, Long.BYTES);
  }

  static void writeCount(MemorySegment whole, int size) {
    whole.set(JAVA_INT, 0, size);
  }

  static int count(long byteSize, int elementSize) {
    if (byteSize < 0 || byteSize % elementSize != 0 || byteSize / elementSize > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%s bytes are no whole number of elements in [0, %s]: elementSize=%s, header=%s"
              .formatted(byteSize, Integer.MAX_VALUE, elementSize, ARRAY_HEADER));
    }
    return (int) (byteSize / elementSize);
  }

  static int totalSize(TornadoNativeArray... arrays) {
    long total = 0;
    for (TornadoNativeArray array : arrays) {
      total += array.getSize();
    }
    return Math.toIntExact(total);
  }

  static void copyInto(MemorySegment target, TornadoNativeArray... arrays) {
    long position = 0;
    for (TornadoNativeArray array : arrays) {
      MemorySegment.copy(array.getSegment(), 0, target, position, array.getNumBytesOfSegment());
      position += array.getNumBytesOfSegment();
    }
  }

  MemorySegment part(int offset, int length) {
    if (offset < 0 || length < 0 || offset > getSize() - length) {
      throw new IllegalArgumentException(
          "no such slice: offset=%s, length=%s, size=%s".formatted(offset, length, getSize()));
    }
    return getSegment().asSlice((long) offset * getElementSize(), (long) length * getElementSize());
  }

  /** Number of elements. */
  public abstract int getSize();

  /** The elements, without the header. */
  public abstract MemorySegment getSegment();

  /** Header and elements. */
  public abstract MemorySegment getSegmentWithHeader();

  /** Bytes of header and elements. */
  public abstract long getNumBytesOfSegmentWithHeader();

  /** Bytes of the elements. */
  public abstract long getNumBytesOfSegment();

  /** Sets every element to zero. */
  protected void clear() {}

  /** Bytes of one element. */
  public abstract int getElementSize();
}
