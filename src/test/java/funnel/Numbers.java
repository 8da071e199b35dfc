package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorCode;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/**
 * Test data of any type, in boxes: Byte, Integer, Long, Float or Double. Slow, and so plain that it
 * serves as the oracle's.
 */
public final class Numbers {

  /** Elements before and after an output that no kernel is to write. */
  public static final int GUARDS = 5;

  private static final int GUARD = 77;

  private Numbers() {}

  /** A number as one of a type. */
  public static Number of(ElementType type, double value) {
    return switch (type) {
      case BYTE -> (byte) value;
      case INT -> (int) value;
      case LONG -> (long) value;
      case FLOAT -> (float) value;
      case DOUBLE -> value;
    };
  }

  /** An array of numbers. */
  public static Number[] of(int length, IntFunction<Number> at) {
    Number[] numbers = new Number[length];
    Arrays.setAll(numbers, at);
    return numbers;
  }

  /** The numbers in a segment. */
  public static Number[] of(ElementType type, MemorySegment segment) {
    return of(
        (int) (segment.byteSize() / type.bytes()),
        i ->
            switch (type) {
              case BYTE -> segment.get(ValueLayout.JAVA_BYTE, i);
              case INT -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
              case LONG -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i);
              case FLOAT -> segment.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i);
              case DOUBLE -> segment.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * i);
            });
  }

  /** Any number; floating-point ones of magnitudes that make sums depend on their order. */
  public static Number random(ElementType type, SplittableRandom random) {
    return switch (type) {
      case BYTE -> (byte) random.nextInt();
      case INT -> random.nextInt();
      case LONG -> random.nextLong();
      case FLOAT -> (float) Math.scalb(random.nextDouble(-1, 1), random.nextInt(-20, 21));
      case DOUBLE -> Math.scalb(random.nextDouble(-1, 1), random.nextInt(-20, 21));
    };
  }

  /** The numbers as elements of a type, in memory of their own. */
  public static MemorySegment segment(ElementType type, Number[] values) {
    MemorySegment segment = MemorySegment.ofArray(new byte[values.length * type.bytes()]);
    for (int i = 0; i < values.length; i++) {
      switch (type) {
        case BYTE -> segment.set(ValueLayout.JAVA_BYTE, i, values[i].byteValue());
        case INT -> segment.set(ValueLayout.JAVA_INT_UNALIGNED, 4L * i, values[i].intValue());
        case LONG -> segment.set(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i, values[i].longValue());
        case FLOAT -> segment.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i, values[i].floatValue());
        case DOUBLE ->
            segment.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * i, values[i].doubleValue());
      }
    }
    return segment;
  }

  /** What an operator makes of two numbers. */
  public static Number combine(Operator operator, ElementType type, Number a, Number b) {
    Serializable function = operator.function();
    if (function != null) {
      return switch (function) {
        case Operator.IntCombine f -> f.applyAsInt(a.intValue(), b.intValue());
        case Operator.LongCombine f -> f.applyAsLong(a.longValue(), b.longValue());
        case Operator.FloatCombine f -> f.applyAsFloat(a.floatValue(), b.floatValue());
        case Operator.DoubleCombine f -> f.applyAsDouble(a.doubleValue(), b.doubleValue());
        default -> throw new IllegalStateException(operator.toString());
      };
    }
    if (type.isFloating()) {
      double x = a.doubleValue();
      double y = b.doubleValue();
      return of(
          type,
          switch (operator.code()) {
            case OperatorCode.SUM -> x + y;
            case OperatorCode.PRODUCT -> x * y;
            case OperatorCode.MIN -> Math.min(x, y);
            case OperatorCode.MAX -> Math.max(x, y);
            default -> throw new IllegalStateException(operator.toString());
          });
    }
    long x = a.longValue();
    long y = b.longValue();
    long result =
        switch (operator.code()) {
          case OperatorCode.SUM -> x + y;
          case OperatorCode.PRODUCT -> x * y;
          case OperatorCode.MIN -> Math.min(x, y);
          case OperatorCode.MAX -> Math.max(x, y);
          case OperatorCode.AND -> x & y;
          case OperatorCode.OR -> x | y;
          default -> x ^ y;
        };
    return type == ElementType.INT ? (Number) (int) result : (Number) result;
  }

  /** Values that no output has, to be written over or found again. */
  public static Number[] guards(ElementType type, int length) {
    return of(length, i -> of(type, GUARD));
  }

  /** What is between guards, which must be there. */
  public static Number[] guarded(Number[] all, String message) {
    for (int g = 0; g < GUARDS; g++) {
      assertEquals(GUARD, all[g].intValue(), "guard before: " + message);
      assertEquals(GUARD, all[all.length - 1 - g].intValue(), "guard after: " + message);
    }
    return Arrays.copyOfRange(all, GUARDS, all.length - GUARDS);
  }

  /** Fails unless numbers have the same bits; NaN is any NaN. */
  public static void requireSame(Number[] expected, Number[] seen, String message) {
    assertEquals(expected.length, seen.length, message);
    for (int i = 0; i < expected.length; i++) {
      if (!expected[i].equals(seen[i])) {
        assertEquals(expected[i], seen[i], message + " at " + i);
      }
    }
  }
}
