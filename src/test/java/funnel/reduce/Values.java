package funnel.reduce;

import funnel.Elements;
import funnel.operator.ElementType;
import java.util.Arrays;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** A range of a Java array of any element type, with a plain view of each element. */
record Values(ElementType type, Object array, int from, int to) {

  static Values ofLength(ElementType type, int length) {
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

  Values range(int first, int last) {
    return new Values(type, array, from + first, from + last);
  }

  int length() {
    return to - from;
  }

  /** An integer element; bytes are unsigned. */
  long longAt(int i) {
    return switch (array) {
      case byte[] a -> a[from + i] & 0xff;
      case int[] a -> a[from + i];
      case long[] a -> a[from + i];
      default -> throw new IllegalStateException("no integers: " + type);
    };
  }

  /** An element as a double, as Java widens it. */
  double doubleAt(int i) {
    return switch (array) {
      case float[] a -> a[from + i];
      case double[] a -> a[from + i];
      default -> longAt(i);
    };
  }

  void set(int i, long value) {
    switch (array) {
      case byte[] a -> a[from + i] = (byte) value;
      case int[] a -> a[from + i] = (int) value;
      case long[] a -> a[from + i] = value;
      case float[] a -> a[from + i] = value;
      case double[] a -> a[from + i] = value;
      default -> throw new IllegalStateException();
    }
  }

  void set(int i, double value) {
    switch (array) {
      case float[] a -> a[from + i] = (float) value;
      case double[] a -> a[from + i] = value;
      default -> set(i, (long) value);
    }
  }

  /** An element or a result in the boxed type in which Funnel gives it. */
  Number boxed(long value) {
    return type == ElementType.LONG ? (Number) value : (Number) (int) value;
  }

  Number boxed(double value) {
    return type == ElementType.FLOAT ? (Number) (float) value : (Number) value;
  }

  Number at(int i) {
    return type.isFloating() ? boxed(doubleAt(i)) : boxed(longAt(i));
  }

  Elements elements() {
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
  TornadoNativeArray tornadoArray() {
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
  int hash() {
    return switch (array) {
      case byte[] a -> Arrays.hashCode(a);
      case int[] a -> Arrays.hashCode(a);
      case long[] a -> Arrays.hashCode(a);
      case float[] a -> Arrays.hashCode(a);
      case double[] a -> Arrays.hashCode(a);
      default -> throw new IllegalStateException();
    };
  }

  @Override
  public String toString() {
    return "%s[%d..%d)".formatted(type, from, to);
  }
}
