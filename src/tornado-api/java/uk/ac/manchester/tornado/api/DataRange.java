package uk.ac.manchester.tornado.api;

import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * A part of an array, to be copied to the host. A statement of signatures that works on the JVM.
 *
 * <p>Offset and size are given in elements; {@link #materialize} turns them into bytes, the offset
 * counted from the header's first byte. Size 0 stands for the whole array.
 */
public class DataRange {
  private final TornadoNativeArray array;
  private long elementOffset;
  private long elementCount;
  private long byteOffset = -1;
  private long byteCount;

  /** The whole array. */
  public DataRange(TornadoNativeArray tornadoNativeArray) {
    array = tornadoNativeArray;
  }

  /** Begins at an element. */
  public DataRange withOffset(long offset) {
    elementOffset = offset;
    return this;
  }

  /** Takes so many elements, or all for 0. */
  public DataRange withSize(long size) {
    elementCount = size;
    return this;
  }

  /** The offset in bytes, header included. */
  public long getOffset() {
    requireMaterialized();
    return byteOffset;
  }

  /** The size in bytes. */
  public long getPartialSize() {
    requireMaterialized();
    return byteCount;
  }

  private void requireMaterialized() {
    if (byteOffset < 0) {
      throw new TornadoRuntimeException("materialize() comes before the getters");
    }
  }

  /** Turns elements into bytes; refuses a range that ends behind the array. */
  public void materialize() {
    long count = elementCount == 0 ? array.getSize() : elementCount;
    if (elementOffset < 0 || count < 0 || elementOffset > array.getSize() - count) {
      throw new TornadoRuntimeException(
          "no such range: offset=%s, size=%s, array=%s"
              .formatted(elementOffset, count, array.getSize()));
    }
    byteOffset = TornadoNativeArray.ARRAY_HEADER + elementOffset * array.getElementSize();
    byteCount = count * array.getElementSize();
  }

  /** The array. */
  public TornadoNativeArray getArray() {
    return array;
  }
}
