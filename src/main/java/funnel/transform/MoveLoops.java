package funnel.transform;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/** Loops that move elements unchanged on the JVM: over their bits, of the elements' width. */
interface MoveLoops {

  /** The loops for elements of a type. */
  static MoveLoops of(ElementType type) {
    return FunctionCopies.instance(
        MethodHandles.lookup(),
        MoveLoops.class,
        TwinClass.of(MethodHandles.lookup(), IntMoveLoops.class, bits(type)));
  }

  /** The type of integers as wide as a type. */
  static ElementType bits(ElementType type) {
    return switch (type) {
      case BYTE -> ElementType.BYTE;
      case INT, FLOAT -> ElementType.INT;
      case LONG, DOUBLE -> ElementType.LONG;
    };
  }

  /** The bits of a value that {@link ElementType#fitting} has returned. */
  static long bits(ElementType type, Number value) {
    return switch (type) {
      case BYTE, INT, LONG -> value.longValue();
      case FLOAT -> Float.floatToRawIntBits(value.floatValue());
      case DOUBLE -> Double.doubleToRawLongBits(value.doubleValue());
    };
  }

  /** Copies those of {@code size} elements that are at {@code length} positions to the output. */
  void gather(
      MemorySegment values, int size, MemorySegment positions, int length, MemorySegment output);

  /**
   * Copies each of {@code length} elements to its position, if that is inside the {@code size}
   * elements of the output.
   */
  void scatter(
      MemorySegment values, MemorySegment positions, int length, MemorySegment output, int size);

  /** Sets {@code size} elements to {@code bits}. */
  void fill(MemorySegment output, int size, long bits);
}
