package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Test data: a range of a Java array of any element type, with a plain view of each element. */
public record Values(ElementType type, Object array, int from, int to) {

  /** Elements before and after an output that no kernel is to write. */
  public static final int GUARDS = Numbers.GUARDS;

  private static final int GUARD = 77;

  public static Values ofLength(ElementType type, int length) {
    Object array =
        switch (type) {
          case BYTE -> new byte[length];
          case INT -> new int[length];
          case LONG -> new long[length];
          case FLOAT -> new float[length];
          case DOUBLE -> new double[length];
        };
    return new Values(type, array, 0, length);
  }

  public Values range(int first, int last) {
    return new Values(type, array, from + first, from + last);
  }

  public int length() {
    return to - from;
  }

  /** An integer element; bytes are unsigned. */
  public long longAt(int i) {
    return switch (array) {
      case byte[] a -> a[from + i] & 0xff;
      case int[] a -> a[from + i];
      case long[] a -> a[from + i];
      default -> throw new IllegalStateException("no integers: " + type);
    };
  }

  /** An element as a double, as Java widens it. */
  public double doubleAt(int i) {
    return switch (array) {
      case float[] a -> a[from + i];
      case double[] a -> a[from + i];
      default -> longAt(i);
    };
  }

  public void set(int i, long value) {
    switch (array) {
      case byte[] a -> a[from + i] = (byte) value;
      case int[] a -> a[from + i] = (int) value;
      case long[] a -> a[from + i] = value;
      case float[] a -> a[from + i] = value;
      case double[] a -> a[from + i] = value;
      default -> throw new IllegalStateException();
    }
  }

  public void set(int i, double value) {
    switch (array) {
      case float[] a -> a[from + i] = (float) value;
      case double[] a -> a[from + i] = value;
      default -> set(i, (long) value);
    }
  }

  /** An element or a result in the boxed type in which Funnel gives it. */
  public Number boxed(long value) {
    return type == ElementType.LONG ? (Number) value : (Number) (int) value;
  }

  public Number boxed(double value) {
    return type == ElementType.FLOAT ? (Number) (float) value : (Number) value;
  }

  public Number at(int i) {
    return type.isFloating() ? boxed(doubleAt(i)) : boxed(longAt(i));
  }

  public Elements elements() {
    return switch (array) {
      case byte[] a -> Elements.of(a, from, to);
      case int[] a -> Elements.of(a, from, to);
      case long[] a -> Elements.of(a, from, to);
      case float[] a -> Elements.of(a, from, to);
      case double[] a -> Elements.of(a, from, to);
      default -> throw new IllegalStateException();
    };
  }

  /** A TornadoVM array with the whole array's elements. */
  public TornadoNativeArray tornadoArray() {
    return switch (array) {
      case byte[] a -> ByteArray.fromArray(a);
      case int[] a -> IntArray.fromArray(a);
      case long[] a -> LongArray.fromArray(a);
      case float[] a -> FloatArray.fromArray(a);
      case double[] a -> DoubleArray.fromArray(a);
      default -> throw new IllegalStateException();
    };
  }

  /** A hash of the whole array, to see whether anyone wrote into it. */
  public int hash() {
    return switch (array) {
      case byte[] a -> Arrays.hashCode(a);
      case int[] a -> Arrays.hashCode(a);
      case long[] a -> Arrays.hashCode(a);
      case float[] a -> Arrays.hashCode(a);
      case double[] a -> Arrays.hashCode(a);
      default -> throw new IllegalStateException();
    };
  }

  public static Values guard(ElementType type, int length) {
    Values values = ofLength(type, length);
    for (int i = 0; i < length; i++) {
      values.put(i, GUARD);
    }
    return values;
  }

  public static Values of(ElementType type, Number value) {
    Values values = ofLength(type, 1);
    values.put(0, value);
    return values;
  }

  /** Integers of a type. */
  public static Values of(ElementType type, long[] integers) {
    Values values = ofLength(type, integers.length);
    for (int i = 0; i < integers.length; i++) {
      values.set(i, integers[i]);
    }
    return values;
  }

  /** Integers on both sides of 0, of so many at most. */
  public static long[] random(SplittableRandom random, int length, long distinct) {
    return random.longs(length, -distinct / 2, distinct - distinct / 2).toArray();
  }

  public static Values random(ElementType type, int length, SplittableRandom random) {
    Values values = ofLength(type, length);
    for (int i = 0; i < length; i++) {
      values.put(
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
  public static List<Values> special(ElementType type, int length, SplittableRandom random) {
    List<Values> all = new ArrayList<>();
    Values zeros = ofLength(type, length);
    all.add(zeros);
    Values sparse = ofLength(type, length);
    for (int i = 0; i < 5; i++) {
      sparse.put(random.nextInt(length), 1 + random.nextInt(9));
    }
    all.add(sparse);
    Values extremes = ofLength(type, length);
    for (int i = 0; i < length; i++) {
      extremes.put(
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
      Values negativeZeros = ofLength(type, length);
      Values withNan = random(type, length, random);
      Values withInfinity = random(type, length, random);
      for (int i = 0; i < length; i++) {
        negativeZeros.put(i, -0.0);
      }
      withNan.put(length / 2, Double.NaN);
      withInfinity.put(length / 3, Double.POSITIVE_INFINITY);
      withInfinity.put(length / 2, Double.NEGATIVE_INFINITY);
      all.add(negativeZeros);
      all.add(withNan);
      all.add(withInfinity);
    }
    return all;
  }

  /**
   * Numbers that differ little and are far from zero, and the same after one that is far from them:
   * where squares, sums and longs as doubles lose digits.
   */
  public static List<Values> closeToEachOther(
      ElementType type, int length, SplittableRandom random) {
    Values near = ofLength(type, length);
    for (int i = 0; i < length; i++) {
      int step = random.nextInt(7);
      near.put(
          i,
          switch (type) {
            case BYTE -> (Number) (byte) (245 + step);
            case INT -> (Number) (Integer.MAX_VALUE - step);
            case LONG -> (Number) (Long.MIN_VALUE + 1_700_000_000_000_000_001L + step);
            case FLOAT -> (Number) (1e7f + step);
            case DOUBLE -> (Number) (1e16 + 2 * step);
          });
    }
    Values afterAnother = near.copy();
    afterAnother.put(0, type == ElementType.LONG ? (Number) Long.MAX_VALUE : (Number) 0.1);
    return List.of(near, afterAnother);
  }

  public Values copy() {
    int length = Array.getLength(array);
    Values copy = ofLength(type, length);
    System.arraycopy(array, 0, copy.array, 0, length);
    return copy;
  }

  public MemorySegment segment() {
    return switch (array) {
      case byte[] a -> MemorySegment.ofArray(a);
      case int[] a -> MemorySegment.ofArray(a);
      case long[] a -> MemorySegment.ofArray(a);
      case float[] a -> MemorySegment.ofArray(a);
      default -> MemorySegment.ofArray((double[]) array);
    };
  }

  public void requireGuards(int guards, String message) {
    int length = Array.getLength(array);
    for (int i = 0; i < guards; i++) {
      assertEquals(GUARD, at(i).intValue(), "guard before: " + message);
      assertEquals(GUARD, at(length - 1 - i).intValue(), "guard after: " + message);
    }
  }

  public void requireEqualOutside(Values other, int first, int last, String message) {
    for (int i = 0; i < Array.getLength(array); i++) {
      if (i < first || i >= last) {
        assertEquals(other.at(i), at(i), "outside: " + message);
      }
    }
  }

  /** The elements of a part of the range. */
  public Elements elements(int first, int last) {
    return range(first, last).elements();
  }

  /** Sets an element to a number of any type. */
  public void put(int at, Number value) {
    if (type.isFloating()) {
      set(at, value.doubleValue());
    } else {
      set(at, value.longValue());
    }
  }

  @Override
  public String toString() {
    return "%s[%s..%s)".formatted(type, from, to);
  }
}
