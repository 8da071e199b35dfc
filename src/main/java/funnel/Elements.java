package funnel;

import funnel.engine.device.ProgramArrays;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Elements in memory, wherever they are: a Java array or a part of it, a TornadoVM array, or a
 * memory segment such as a mapped file. A view; nothing is copied.
 *
 * {@snippet class="funnel.docs.ResultsSnippets" region="elements"}
 */
public final class Elements {

  private final ElementType type;
  private final MemorySegment segment;

  private Elements(ElementType type, MemorySegment segment) {
    this.type = type;
    this.segment = segment;
  }

  private static <T> T present(@Nullable T array) {
    return Objects.requireNonNull(array, "array");
  }

  /** All of an array of unsigned bytes. */
  public static Elements of(byte[] array) {
    return new Elements(ElementType.BYTE, MemorySegment.ofArray(present(array)));
  }

  /** All of an int array. */
  public static Elements of(int[] array) {
    return new Elements(ElementType.INT, MemorySegment.ofArray(present(array)));
  }

  /** All of a long array. */
  public static Elements of(long[] array) {
    return new Elements(ElementType.LONG, MemorySegment.ofArray(present(array)));
  }

  /** All of a float array. */
  public static Elements of(float[] array) {
    return new Elements(ElementType.FLOAT, MemorySegment.ofArray(present(array)));
  }

  /** All of a double array. */
  public static Elements of(double[] array) {
    return new Elements(ElementType.DOUBLE, MemorySegment.ofArray(present(array)));
  }

  /**
   * Elements {@code from} to {@code to}, the latter excluded, of an array of unsigned bytes.
   *
   * @throws IndexOutOfBoundsException if the range is not within the array
   */
  public static Elements of(byte[] array, int from, int to) {
    return of(array).range(from, to);
  }

  /** Elements {@code from} to {@code to}, the latter excluded, of an int array. */
  public static Elements of(int[] array, int from, int to) {
    return of(array).range(from, to);
  }

  /** Elements {@code from} to {@code to}, the latter excluded, of a long array. */
  public static Elements of(long[] array, int from, int to) {
    return of(array).range(from, to);
  }

  /** Elements {@code from} to {@code to}, the latter excluded, of a float array. */
  public static Elements of(float[] array, int from, int to) {
    return of(array).range(from, to);
  }

  /** Elements {@code from} to {@code to}, the latter excluded, of a double array. */
  public static Elements of(double[] array, int from, int to) {
    return of(array).range(from, to);
  }

  /**
   * All of a TornadoVM array. On a device the elements are copied from it into the plan's own
   * array; a plan that is built over the array itself ({@link Plan.Builder#input(String,
   * TornadoNativeArray)}) does not copy it.
   *
   * @throws IllegalArgumentException if {@link ElementType} has no type for its elements
   */
  public static Elements ofTornado(TornadoNativeArray array) {
    return new Elements(ProgramArrays.typeOf(present(array)), array.getSegment());
  }

  /**
   * All of a memory segment, as little-endian elements of a type.
   *
   * @throws IllegalArgumentException if the segment's size is not a multiple of the element size,
   *     it has more elements than an array can have, or this machine is big-endian
   */
  public static Elements of(MemorySegment segment, ElementType type) {
    Objects.requireNonNull(segment, "segment");
    Objects.requireNonNull(type, "type");
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new IllegalArgumentException(
          "memory segments hold little-endian elements, but this machine is big-endian");
    }
    if (segment.byteSize() % type.bytes() != 0) {
      throw new IllegalArgumentException(
          "segment is not a whole number of %s elements: bytes=%s, bytes per element=%s"
              .formatted(type, segment.byteSize(), type.bytes()));
    }
    long length = segment.byteSize() / type.bytes();
    if (length > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "segment has too many elements for one run: length=%s, largest=%s; work in chunks"
              .formatted(length, Integer.MAX_VALUE - 8));
    }
    return new Elements(type, segment);
  }

  /**
   * All of a Java array whose type the program does not know: {@code Elements.ofArray(x)} is {@code
   * Elements.of(x)} if x is an int[].
   *
   * @param array of bytes, ints, longs, floats or doubles
   * @throws IllegalArgumentException if it is anything else
   */
  public static Elements ofArray(Object array) {
    return switch (present(array)) {
      case byte[] bytes -> of(bytes);
      case int[] ints -> of(ints);
      case long[] longs -> of(longs);
      case float[] floats -> of(floats);
      case double[] doubles -> of(doubles);
      default ->
          throw new IllegalArgumentException(
              "no array of bytes, ints, longs, floats or doubles: "
                  + array.getClass().getTypeName());
    };
  }

  /**
   * All of a new Java array, whose elements are 0: {@code Elements.allocate(ElementType.INT, 3)} is
   * {@code Elements.of(new int[3])}. It is a destination for an output of that type.
   *
   * @throws IllegalArgumentException if the length is negative, or more than an array can have
   */
  public static Elements allocate(ElementType type, int length) {
    Objects.requireNonNull(type, "type");
    if (length < 0 || length > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "an array has 0 to %s elements: length=%s".formatted(Integer.MAX_VALUE - 8, length));
    }
    return switch (type) {
      case BYTE -> of(new byte[length]);
      case INT -> of(new int[length]);
      case LONG -> of(new long[length]);
      case FLOAT -> of(new float[length]);
      case DOUBLE -> of(new double[length]);
    };
  }

  /**
   * A part of these elements.
   *
   * @param from the index of the first element
   * @param to the index after the last element
   * @throws IndexOutOfBoundsException if the range is not within these elements
   */
  public Elements range(int from, int to) {
    if (from < 0 || to < from || to > length()) {
      throw new IndexOutOfBoundsException(
          "range outside the array: from=%s, to=%s, length=%s".formatted(from, to, length()));
    }
    long bytes = type.bytes();
    return new Elements(type, segment.asSlice(from * bytes, (to - from) * bytes));
  }

  /** The elements' type. */
  public ElementType type() {
    return type;
  }

  /** The number of elements. */
  public int length() {
    return (int) (segment.byteSize() / type.bytes());
  }

  /** The memory that they are in. */
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public String toString() {
    return type + "[" + length() + "]";
  }
}
