package funnel.suite;

import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Rules and trials of the common shapes of the suite, and the values that they use. */
final class Trials {

  static final int[] INTS = {
    0,
    1,
    -1,
    2,
    -2,
    3,
    7,
    -7,
    8,
    -8,
    9,
    -9,
    10,
    -10,
    31,
    32,
    100,
    -100,
    255,
    256,
    65535,
    65536,
    123456789,
    -123456789,
    0x12345678,
    0x87654321,
    0x80808080,
    0xdeadbeef,
    Integer.MAX_VALUE - 1,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Integer.MIN_VALUE + 1
  };

  static final long[] LONGS = {
    0,
    1,
    -1,
    2,
    -2,
    7,
    -7,
    8,
    -8,
    9,
    -9,
    10,
    -10,
    100,
    -100,
    255,
    65536,
    0xffffffffL,
    0x100000000L,
    -0x100000000L,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    0x123456789abcdef0L,
    0xfedcba9876543210L,
    0x8000000080000000L,
    1L << 52,
    1L << 53,
    (1L << 53) + 1,
    -(1L << 62),
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1
  };

  static final float[] FLOATS = {
    0f,
    -0f,
    1f,
    -1f,
    1.5f,
    -2.5f,
    0.1f,
    3f,
    1e10f,
    -1e10f,
    3e38f,
    Float.MIN_NORMAL,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MAX_VALUE,
    -Float.MAX_VALUE,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.NaN
  };

  static final double[] DOUBLES = {
    0d,
    -0d,
    1d,
    -1d,
    1.5,
    -2.5,
    0.1,
    3d,
    1e10,
    -1e10,
    1e300,
    Double.MIN_NORMAL,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.NaN
  };

  private static final int THREADS = 32;

  /** A float for each index. */
  interface IntToFloat {
    float of(int i);
  }

  private Trials() {}

  static JitRule reliedOn(String name, String says, Supplier<JitTrial> trial) {
    return new JitRule(name, says, JitRule.Kind.RELIED_ON, false, trial);
  }

  static JitRule workedAround(String name, String says, Supplier<JitTrial> trial) {
    return new JitRule(name, says, JitRule.Kind.WORKED_AROUND, false, trial);
  }

  static JitRule capability(String name, String says, Supplier<JitTrial> trial) {
    return new JitRule(name, says, JitRule.Kind.CAPABILITY, false, trial);
  }

  static JitRule dangerous(String name, String says, Supplier<JitTrial> trial) {
    return new JitRule(name, says, JitRule.Kind.WORKED_AROUND, true, trial);
  }

  /** One thread for each element of {@code a}. */
  static <A extends TornadoNativeArray, O extends TornadoNativeArray> JitTrial each(
      KernelTask.Kernel3<A, O> kernel, A a, Expected<O> out) {
    return JitTrial.of(
        KernelTask.of("each", gridFor(a.getSize()), kernel, a, out.array()), caused(out, a));
  }

  /** One thread for each element of {@code a} and {@code b}. */
  static <A extends TornadoNativeArray, B extends TornadoNativeArray, O extends TornadoNativeArray>
      JitTrial each(KernelTask.Kernel4<A, B, O> kernel, A a, B b, Expected<O> out) {
    return JitTrial.of(
        KernelTask.of("each", gridFor(a.getSize()), kernel, a, b, out.array()), caused(out, a, b));
  }

  /** One thread for each element of {@code a}, {@code b} and {@code c}. */
  static <
          A extends TornadoNativeArray,
          B extends TornadoNativeArray,
          C extends TornadoNativeArray,
          O extends TornadoNativeArray>
      JitTrial each(KernelTask.Kernel5<A, B, C, O> kernel, A a, B b, C c, Expected<O> out) {
    return JitTrial.of(
        KernelTask.of("each", gridFor(a.getSize()), kernel, a, b, c, out.array()),
        caused(out, a, b, c));
  }

  /** Blocks of 32 threads, with at least one thread per item. */
  static Grid gridFor(int items) {
    return Grid.of((items + THREADS - 1) / THREADS, THREADS);
  }

  private static <O extends TornadoNativeArray> Expected<O> caused(
      Expected<O> out, TornadoNativeArray... inputs) {
    int width = Math.max(1, out.array().getSize() / inputs[0].getSize());
    return out.causedBy(
        i -> {
          StringBuilder text = new StringBuilder(" for");
          for (TornadoNativeArray input : inputs) {
            text.append(' ').append(element(input, i / width));
          }
          return text.toString();
        });
  }

  private static Object element(TornadoNativeArray array, int i) {
    return switch ((Object) array) {
      case IntArray a -> a.get(i);
      case LongArray a -> a.get(i);
      case FloatArray a -> a.get(i);
      case DoubleArray a -> a.get(i);
      default -> "[" + i + "]";
    };
  }

  static IntArray ints(int... values) {
    return IntArray.fromArray(values);
  }

  static LongArray longs(long... values) {
    return LongArray.fromArray(values);
  }

  static FloatArray floats(float... values) {
    return FloatArray.fromArray(values);
  }

  static DoubleArray doubles(double... values) {
    return DoubleArray.fromArray(values);
  }

  /** The first elements of all pairs. */
  static int[] lefts(int[] values) {
    int[] all = new int[values.length * values.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = values[i / values.length];
    }
    return all;
  }

  /** The second elements of all pairs. */
  static int[] rights(int[] values) {
    int[] all = new int[values.length * values.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = values[i % values.length];
    }
    return all;
  }

  /** The first elements of all pairs. */
  static long[] lefts(long[] values) {
    long[] all = new long[values.length * values.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = values[i / values.length];
    }
    return all;
  }

  /** The second elements of all pairs. */
  static long[] rights(long[] values) {
    long[] all = new long[values.length * values.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = values[i % values.length];
    }
    return all;
  }

  /** The first elements of all pairs. */
  static float[] lefts(float[] values) {
    float[] all = new float[values.length * values.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = values[i / values.length];
    }
    return all;
  }

  /** The second elements of all pairs. */
  static float[] rights(float[] values) {
    float[] all = new float[values.length * values.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = values[i % values.length];
    }
    return all;
  }

  /** The first elements of all pairs. */
  static double[] lefts(double[] values) {
    double[] all = new double[values.length * values.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = values[i / values.length];
    }
    return all;
  }

  /** The second elements of all pairs. */
  static double[] rights(double[] values) {
    double[] all = new double[values.length * values.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = values[i % values.length];
    }
    return all;
  }

  /** {@code values} for the indices 0 to {@code n - 1}. */
  static int[] ints(int n, IntUnaryOperator values) {
    return IntStream.range(0, n).map(values).toArray();
  }

  /** {@code values} for the indices 0 to {@code n - 1}. */
  static long[] longs(int n, IntToLongFunction values) {
    return IntStream.range(0, n).mapToLong(values).toArray();
  }

  /** {@code values} for the indices 0 to {@code n - 1}. */
  static double[] doubles(int n, IntToDoubleFunction values) {
    return IntStream.range(0, n).mapToDouble(values).toArray();
  }

  /** {@code values} for the indices 0 to {@code n - 1}. */
  static float[] floats(int n, IntToFloat values) {
    float[] all = new float[n];
    for (int i = 0; i < n; i++) {
      all[i] = values.of(i);
    }
    return all;
  }

  /** {@code n} ints, the same in every run. */
  static int[] randomInts(int n) {
    return new Random(42).ints(n).toArray();
  }

  /** {@code n} ints of 0 to {@code bound - 1}, the same in every run. */
  static int[] randomInts(int n, int bound) {
    return new Random(42).ints(n, 0, bound).toArray();
  }

  /** {@code n} longs, the same in every run. */
  static long[] randomLongs(int n) {
    return new Random(42).longs(n).toArray();
  }

  /** {@code n} floats of -1 to 1 with all their bits in use, the same in every run. */
  static float[] randomFloats(int n, long seed) {
    Random random = new Random(seed);
    float[] values = new float[n];
    for (int i = 0; i < n; i++) {
      values[i] = (float) (2 * random.nextDouble() - 1);
    }
    return values;
  }

  /** {@code n} doubles of -1 to 1 with all their bits in use, the same in every run. */
  static double[] randomDoubles(int n, long seed) {
    Random random = new Random(seed);
    double[] values = new double[n];
    for (int i = 0; i < n; i++) {
      values[i] = 2 * random.nextDouble() - 1;
    }
    return values;
  }

  /** The ints below a number. */
  static IntStream range(int n) {
    return IntStream.range(0, n);
  }

  /** 1 if a condition holds, else 0. */
  static int bit(boolean condition) {
    return condition ? 1 : 0;
  }

  /** Whether the winner of min or max is the one operand and not the other, NaN being equal. */
  static boolean wins(Number winner, Number operand, Number other) {
    return winner.equals(operand) && !winner.equals(other);
  }
}
