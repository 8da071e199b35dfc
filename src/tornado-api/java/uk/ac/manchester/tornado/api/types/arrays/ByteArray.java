package uk.ac.manchester.tornado.api.types.arrays;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * An array of {@code byte} outside of the Java heap: a header whose first {@code int} is the number
 * of elements, then the elements. A statement of TornadoVM's signatures whose bodies work on the
 * JVM.
 *
 * <p>Every access is checked against the elements' segment, so an index outside of {@code [0,
 * getSize())} throws {@link IndexOutOfBoundsException}.
 */
public final class ByteArray extends TornadoNativeArray {
  private final int size;
  private final MemorySegment whole;
  private final MemorySegment elements;

  /** An array of {@code numberOfElements} zeros; a negative number is refused. */
  public ByteArray(int numberOfElements) {
    this(allocate(numberOfElements, Byte.BYTES), numberOfElements);
  }

  private ByteArray(MemorySegment whole, int size) {
    this.size = size;
    this.whole = whole;
    this.elements = whole.asSlice(ARRAY_HEADER);
    writeCount(whole, size);
  }

  /** A copy of {@code values}. */
  public static ByteArray fromArray(byte[] values) {
    return fromSegment(MemorySegment.ofArray(values));
  }

  /** A copy of {@code values}. */
  public static ByteArray fromElements(byte... values) {
    return fromSegment(MemorySegment.ofArray(values));
  }

  /** A copy of a segment that holds elements and no header. */
  public static ByteArray fromSegment(MemorySegment segment) {
    ByteArray array = new ByteArray(count(segment.byteSize(), Byte.BYTES));
    array.elements.copyFrom(segment);
    return array;
  }

  /**
   * A view of {@code segment}, without a copy. The segment begins with a header, which is
   * overwritten with the number of elements of this type that fit behind it.
   */
  public static ByteArray fromSegmentShallow(MemorySegment segment) {
    return new ByteArray(segment, count(segment.byteSize() - ARRAY_HEADER, Byte.BYTES));
  }

  /** A copy of what remains in {@code buffer}, bytes as they lie. */
  public static ByteArray fromByteBuffer(ByteBuffer buffer) {
    return fromSegment(MemorySegment.ofBuffer(buffer));
  }

  /** Sets every element of {@code array} to {@code value}. */
  public static void initialize(ByteArray array, byte value) {
    array.init(value);
  }

  /** A new array of the elements of {@code arrays}, one after another. */
  public static ByteArray concat(ByteArray... arrays) {
    ByteArray all = new ByteArray(totalSize(arrays));
    copyInto(all.elements, arrays);
    return all;
  }

  /** A copy on the heap. */
  public byte[] toHeapArray() {
    return elements.toArray(JAVA_BYTE);
  }

  /** Sets the element at {@code index}. */
  public void set(int index, byte value) {
    elements.setAtIndex(JAVA_BYTE, index, value);
  }

  /** The element at {@code index}. */
  public byte get(int index) {
    return elements.getAtIndex(JAVA_BYTE, index);
  }

  /** Sets every element to zero. */
  @Override
  public void clear() {
    elements.fill((byte) 0);
  }

  @Override
  public int getElementSize() {
    return Byte.BYTES;
  }

  /** Sets every element to {@code value}. */
  public void init(byte value) {
    for (int i = 0; i < size; i++) {
      set(i, value);
    }
  }

  @Override
  public int getSize() {
    return size;
  }

  @Override
  public MemorySegment getSegment() {
    return elements;
  }

  @Override
  public MemorySegment getSegmentWithHeader() {
    return whole;
  }

  @Override
  public long getNumBytesOfSegmentWithHeader() {
    return whole.byteSize();
  }

  @Override
  public long getNumBytesOfSegment() {
    return elements.byteSize();
  }

  /** A copy of {@code length} elements from {@code offset}. */
  public ByteArray slice(int offset, int length) {
    return fromSegment(part(offset, length));
  }
}
