package funnel.suite;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels of {@link UnsupportedRules}. */
final class UnsupportedKernels {

  private static final int[] TABLE = {3, 1, 4, 1, 5, 9, 2, 6};

  private UnsupportedKernels() {}

  public static void floatOfBits(KernelContext context, IntArray values, FloatArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, Float.intBitsToFloat(values.get(i)) + 1f);
    }
  }

  public static void bitsOfFloat(KernelContext context, FloatArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, Float.floatToRawIntBits(values.get(i)) + 1);
    }
  }

  public static void comparedSum(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int sum = values.get(i) + Integer.MAX_VALUE;
      out.set(i, sum < 0 ? sum ^ Integer.MAX_VALUE : sum);
    }
  }

  public static void fused(
      KernelContext context, FloatArray a, FloatArray b, FloatArray c, FloatArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, Math.fma(a.get(i), b.get(i), c.get(i)));
    }
  }

  public static void fusedDouble(
      KernelContext context, DoubleArray a, DoubleArray b, DoubleArray c, DoubleArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, Math.fma(a.get(i), b.get(i), c.get(i)));
    }
  }

  public static void magnitude(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, Math.abs(values.get(i)));
    }
  }

  public static void leadingZeros(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, Integer.numberOfLeadingZeros(values.get(i)));
    }
  }

  public static void floatRemainder(
      KernelContext context, FloatArray a, FloatArray b, FloatArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, a.get(i) % b.get(i));
    }
  }

  public static void compared(KernelContext context, IntArray a, IntArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, Integer.compare(a.get(i), b.get(i)));
    }
  }

  public static void tabled(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, TABLE[values.get(i) & 7]);
    }
  }

  static int table(int i) {
    return TABLE[i];
  }
}
