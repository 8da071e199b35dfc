package uk.ac.manchester.tornado.api.types.arrays;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.nio.FloatBuffer;

/**
 * An array of {@code float} outside of the Java heap: a header whose first {@code int} is the
 * number of elements, then the elements. A statement of TornadoVM's signatures whose bodies work on
 * the JVM.
 *
 * <p>Every access is checked against the elements' segment, so an index outside of {@code [0,
 * getSize())} throws {@link IndexOutOfBoundsException}.
 */
public final class FloatArray extends TornadoNativeArray {
  private final int size;
  private final MemorySegment whole;
  private final MemorySegment elements;

  /** An array of {@code numberOfElements} zeros; a negative number is refused. */
  public FloatArray(int numberOfElements) {
    this(allocate(numberOfElements, Float.BYTES), numberOfElements);
  }

  private FloatArray(MemorySegment whole, int size) {
    this.size = size;
    this.whole = whole;
    this.elements = whole.asSlice(ARRAY_HEADER);
    writeCount(whole, size);
  }

  /** A copy of {@code values}. */
  public static FloatArray fromArray(float[] values) {
    return fromSegment(MemorySegment.ofArray(values));
  }

  /** A copy of {@code values}. */
  public static FloatArray fromElements(float... values) {
    return fromSegment(MemorySegment.ofArray(values));
  }

  /** A copy of a segment that holds elements and no header. */
  public static FloatArray fromSegment(MemorySegment segment) {
    FloatArray array = new FloatArray(count(segment.byteSize(), Float.BYTES));
    array.elements.copyFrom(segment);
    return array;
  }

  /**
   * A view of {@code segment}, without a copy. The segment begins with a header, which is
   * overwritten with the number of elements of this type that fit behind it.
   */
  public static FloatArray fromSegmentShallow(MemorySegment segment) {
    return new FloatArray(segment, count(segment.byteSize() - ARRAY_HEADER, Float.BYTES));
  }

  /** A copy of what remains in {@code buffer}, bytes as they lie. */
  public static FloatArray fromFloatBuffer(FloatBuffer buffer) {
    return fromSegment(MemorySegment.ofBuffer(buffer));
  }

  /** Sets every element of {@code array} to {@code value}. */
  public static void initialize(FloatArray array, float value) {
    array.init(value);
  }

  /** A new array of the elements of {@code arrays}, one after another. */
  public static FloatArray concat(FloatArray... arrays) {
    FloatArray all = new FloatArray(totalSize(arrays));
    copyInto(all.elements, arrays);
    return all;
  }

  /** A copy on the heap. */
  public float[] toHeapArray() {
    return elements.toArray(JAVA_FLOAT);
  }

  /** Sets the element at {@code index}. */
  public void set(int index, float value) {
    elements.setAtIndex(JAVA_FLOAT, index, value);
  }

  /** The element at {@code index}. */
  public float get(int index) {
    return elements.getAtIndex(JAVA_FLOAT, index);
  }

  /** Sets every element to zero. */
  @Override
  public void clear() {
    elements.fill((byte) 0);
  }

  @Override
  public int getElementSize() {
    return Float.BYTES;
  }

  /** Sets every element to {@code value}. */
  public void init(float value) {
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
  public FloatArray slice(int offset, int length) {
    return fromSegment(part(offset, length));
  }
}
