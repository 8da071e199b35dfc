package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Elements;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A Java array of any element type, as test data. */
final class Values {

  static final int GUARDS = 5;
  private static final int GUARD = 77;

  private final ElementType type;
  private final Object array;

  private Values(ElementType type, int length) {
    this.type = type;
    this.array =
        switch (type) {
          case BYTE -> new byte[length];
          case INT -> new int[length];
          case LONG -> new long[length];
          case FLOAT -> new float[length];
          case DOUBLE -> new double[length];
        };
  }

  static Values guard(ElementType type, int length) {
    Values values = new Values(type, length);
    for (int i = 0; i < length; i++) {
      values.set(i, GUARD);
    }
    return values;
  }

  static Values of(ElementType type, Number value) {
    Values values = new Values(type, 1);
    values.set(0, value);
    return values;
  }

  static Values random(ElementType type, int length, SplittableRandom random) {
    Values values = new Values(type, length);
    for (int i = 0; i < length; i++) {
      values.set(
          i,
          switch (type) {
            case BYTE -> (byte) random.nextInt();
            case INT -> random.nextInt();
            case LONG -> random.nextLong();
            case FLOAT -> (float) random.nextDouble(-1, 1);
            case DOUBLE -> random.nextDouble(-1, 1);
          });
    }
    return values;
  }

  /** Constant, skewed and extreme data. */
  static List<Values> special(ElementType type, int length, SplittableRandom random) {
    List<Values> all = new ArrayList<>();
    Values zeros = new Values(type, length);
    all.add(zeros);
    Values sparse = new Values(type, length);
    for (int i = 0; i < 5; i++) {
      sparse.set(random.nextInt(length), 1 + random.nextInt(9));
    }
    all.add(sparse);
    Values extremes = new Values(type, length);
    for (int i = 0; i < length; i++) {
      extremes.set(
          i,
          switch (type) {
            case BYTE -> random.nextBoolean() ? (byte) -1 : (byte) 127;
            case INT -> random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE;
            case LONG -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
            case FLOAT -> random.nextBoolean() ? 0x1p-149f : -0x1.8p100f;
            case DOUBLE -> random.nextBoolean() ? 0x1p-1074 : -0x1.8p900;
          });
    }
    all.add(extremes);
    if (type.isFloating()) {
      Values negativeZeros = new Values(type, length);
      Values withNan = random(type, length, random);
      Values withInfinity = random(type, length, random);
      for (int i = 0; i < length; i++) {
        negativeZeros.set(i, -0.0);
      }
      withNan.set(length / 2, Double.NaN);
      withInfinity.set(length / 3, Double.POSITIVE_INFINITY);
      withInfinity.set(length / 2, Double.NEGATIVE_INFINITY);
      all.add(negativeZeros);
      all.add(withNan);
      all.add(withInfinity);
    }
    return all;
  }

  private void set(int at, Number value) {
    switch (array) {
      case byte[] a -> a[at] = value.byteValue();
      case int[] a -> a[at] = value.intValue();
      case long[] a -> a[at] = value.longValue();
      case float[] a -> a[at] = value.floatValue();
      default -> ((double[]) array)[at] = value.doubleValue();
    }
  }

  /** An element; bytes are unsigned. */
  Number get(int at) {
    return switch (array) {
      case byte[] a -> a[at] & 0xff;
      case int[] a -> a[at];
      case long[] a -> a[at];
      case float[] a -> a[at];
      default -> ((double[]) array)[at];
    };
  }

  Values copy() {
    int length = Array.getLength(array);
    Values copy = new Values(type, length);
    System.arraycopy(array, 0, copy.array, 0, length);
    return copy;
  }

  MemorySegment segment() {
    return switch (array) {
      case byte[] a -> MemorySegment.ofArray(a);
      case int[] a -> MemorySegment.ofArray(a);
      case long[] a -> MemorySegment.ofArray(a);
      case float[] a -> MemorySegment.ofArray(a);
      default -> MemorySegment.ofArray((double[]) array);
    };
  }

  Elements elements(int from, int to) {
    return switch (array) {
      case byte[] a -> Elements.of(a, from, to);
      case int[] a -> Elements.of(a, from, to);
      case long[] a -> Elements.of(a, from, to);
      case float[] a -> Elements.of(a, from, to);
      default -> Elements.of((double[]) array, from, to);
    };
  }

  void requireGuards(int guards, String message) {
    int length = Array.getLength(array);
    for (int i = 0; i < guards; i++) {
      assertEquals(GUARD, get(i).intValue(), "guard before: " + message);
      assertEquals(GUARD, get(length - 1 - i).intValue(), "guard behind: " + message);
    }
  }

  void requireEqualOutside(Values other, int from, int to, String message) {
    for (int i = 0; i < Array.getLength(array); i++) {
      if (i < from || i >= to) {
        assertEquals(other.get(i), get(i), "outside: " + message);
      }
    }
  }
}
