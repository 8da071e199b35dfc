package funnel.suite;

import java.lang.reflect.Array;
import java.util.Optional;
import java.util.function.IntFunction;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * An output array whose elements must have given values, bit by bit; all NaN are equal.
 *
 * @param array the output array
 * @param before its elements before the trial
 * @param values the values that Java requires
 * @param cause says which input an element came from
 */
record Expected<A extends TornadoNativeArray>(
    A array, Object before, Object values, IntFunction<String> cause) implements Output {

  /* An output that a trial does not read begins with a wrong value in every element, so that a
   * launch that never took place, or an element that was never written, cannot pass. For that the
   * array must be copied to the device, which TornadoVM omits if it considers the argument
   * write-only; it does not if the store is directly under an if, with no merge of branches in
   * between. This is why the kernels guard their stores as they do.
   */

  /** Output elements that the trial writes, all of them. */
  static Expected<IntArray> ints(int... values) {
    int[] wrong = new int[values.length];
    for (int i = 0; i < wrong.length; i++) {
      wrong[i] = ~values[i];
    }
    return ints(wrong, values);
  }

  /** Output elements that begin with given values. */
  static Expected<IntArray> ints(int[] before, int[] values) {
    return new Expected<>(IntArray.fromArray(before), before, values, i -> "");
  }

  /** Output elements that the trial writes, all of them. */
  static Expected<LongArray> longs(long... values) {
    long[] wrong = new long[values.length];
    for (int i = 0; i < wrong.length; i++) {
      wrong[i] = ~values[i];
    }
    return longs(wrong, values);
  }

  /** Output elements that begin with given values. */
  static Expected<LongArray> longs(long[] before, long[] values) {
    return new Expected<>(LongArray.fromArray(before), before, values, i -> "");
  }

  /** Output elements that the trial writes, all of them. */
  static Expected<FloatArray> floats(float... values) {
    float[] wrong = new float[values.length];
    for (int i = 0; i < wrong.length; i++) {
      wrong[i] = values[i] == 12345.678f ? 8765.4321f : 12345.678f;
    }
    return floats(wrong, values);
  }

  /** Output elements that begin with given values. */
  static Expected<FloatArray> floats(float[] before, float[] values) {
    return new Expected<>(FloatArray.fromArray(before), before, values, i -> "");
  }

  /** Output elements that the trial writes, all of them. */
  static Expected<DoubleArray> doubles(double... values) {
    double[] wrong = new double[values.length];
    for (int i = 0; i < wrong.length; i++) {
      wrong[i] = values[i] == 12345.678 ? 8765.4321 : 12345.678;
    }
    return doubles(wrong, values);
  }

  /** Output elements that begin with given values. */
  static Expected<DoubleArray> doubles(double[] before, double[] values) {
    return new Expected<>(DoubleArray.fromArray(before), before, values, i -> "");
  }

  /** This output, with a way to say which input an element came from. */
  Expected<A> causedBy(IntFunction<String> input) {
    return new Expected<>(array, before, values, input);
  }

  @Override
  public Optional<String> firstDifference() {
    int length = Array.getLength(values);
    int first = -1;
    int wrong = 0;
    int untouched = 0;
    for (int i = 0; i < length; i++) {
      Object value = element(i);
      if (!value.equals(Array.get(values, i))) {
        first = first < 0 ? i : first;
        wrong++;
        untouched += value.equals(Array.get(before, i)) ? 1 : 0;
      }
    }
    if (first < 0) {
      return Optional.empty();
    }
    String written = untouched == wrong ? ", not written" : "";
    return Optional.of(
        "out[%s]%s: expected %s, got %s (%s of %s wrong%s)"
            .formatted(
                first,
                cause.apply(first),
                Array.get(values, first),
                element(first),
                wrong,
                length,
                written));
  }

  private Object element(int i) {
    return switch ((Object) array) {
      case IntArray a -> a.get(i);
      case LongArray a -> a.get(i);
      case FloatArray a -> a.get(i);
      case DoubleArray a -> a.get(i);
      default -> throw new IllegalStateException("not an output: " + array.getClass());
    };
  }
}
