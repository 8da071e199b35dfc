package funnel.histogram;

import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/**
 * Samples of any type, as test data.
 *
 * @param type their type
 * @param array a Java array of it
 * @param length how many
 */
record Samples(ElementType type, Object array, int length) {

  static Samples of(ElementType type, int length, IntFunction<Number> value) {
    Samples samples =
        new Samples(
            type,
            switch (type) {
              case BYTE -> new byte[length];
              case INT -> new int[length];
              case LONG -> new long[length];
              case FLOAT -> new float[length];
              case DOUBLE -> new double[length];
            },
            length);
    for (int i = 0; i < length; i++) {
      samples.set(i, value.apply(i));
    }
    return samples;
  }

  /** Anything that there is of the type. */
  static Samples any(ElementType type, int length, SplittableRandom random) {
    return of(
        type,
        length,
        i ->
            switch (type) {
              case BYTE, INT, LONG -> random.nextLong() >> random.nextInt(64);
              case FLOAT -> Float.intBitsToFloat(random.nextInt());
              case DOUBLE -> Double.longBitsToDouble(random.nextLong());
            });
  }

  void set(int at, Number value) {
    switch (array) {
      case byte[] a -> a[at] = value.byteValue();
      case int[] a -> a[at] = value.intValue();
      case long[] a -> a[at] = value.longValue();
      case float[] a -> a[at] = value.floatValue();
      default -> ((double[]) array)[at] = value.doubleValue();
    }
  }

  /** An integer sample; bytes are unsigned. */
  long integer(int at) {
    return switch (array) {
      case byte[] a -> a[at] & 0xff;
      case int[] a -> a[at];
      default -> ((long[]) array)[at];
    };
  }

  /** A floating-point sample. */
  double real(int at) {
    return array instanceof float[] a ? a[at] : ((double[]) array)[at];
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
}
