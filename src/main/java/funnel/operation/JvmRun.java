package funnel.operation;

import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Supplier;

/**
 * One run of a program on the JVM: what a primitive's JVM form works on.
 *
 * <p>In the example of {@link Primitive}:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="jvm"}
 */
public interface JvmRun {

  /**
   * The elements of an input or of an earlier primitive's array; the segment has exactly its
   * length.
   */
  MemorySegment input(String name);

  /** The number of elements of an input or of an earlier primitive's array. */
  int length(String name);

  /**
   * Memory for an array that the primitive writes, of exactly its length; it may be that of an
   * input.
   */
  MemorySegment output(String name);

  /** The element at an index; a byte is 0 to 255. */
  static Number element(MemorySegment elements, ElementType type, long index) {
    return switch (type) {
      case BYTE -> elements.get(ValueLayout.JAVA_BYTE, index) & 0xff;
      case INT -> elements.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index);
      case LONG -> elements.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, index);
      case FLOAT -> elements.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, index);
      case DOUBLE -> elements.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, index);
    };
  }

  /** A new Java array, all of it. */
  static MemorySegment newArray(ElementType type, int length) {
    return switch (type) {
      case BYTE -> MemorySegment.ofArray(new byte[length]);
      case INT -> MemorySegment.ofArray(new int[length]);
      case LONG -> MemorySegment.ofArray(new long[length]);
      case FLOAT -> MemorySegment.ofArray(new float[length]);
      case DOUBLE -> MemorySegment.ofArray(new double[length]);
    };
  }

  /** A result that an earlier primitive delivered in this run. */
  Number result(String name);

  /** Delivers a result. */
  void deliver(String name, Number value);

  /** Called before a step combines elements by operators, which may be tried on some of them. */
  default void combines(List<Primitive.Combined> all) {}

  /**
   * An object that is created once for all runs of a program, such as loops over its operator.
   *
   * @param id of the primitive
   * @param type the object's class
   * @param make creates the object if there is none yet
   */
  default <T> T kept(String id, Class<T> type, Supplier<T> make) {
    return make.get();
  }
}
