package funnel.suite;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels of {@link MixedFloatRules}. */
final class MixedFloatKernels {

  private MixedFloatKernels() {}

  public static void bothInfinities(
      KernelContext context, FloatArray values, FloatArray out, DoubleArray wide) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      float v = values.get(i);
      out.set(i, v < 0f ? Float.NEGATIVE_INFINITY : v);
      wide.set(i, v < 0f ? Double.NEGATIVE_INFINITY : v);
    }
  }

  public static void joined(KernelContext context, FloatArray a, FloatArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      float x = a.get(i);
      float y = b.get(i);
      boolean zeros = x == 0f && y == 0f;
      int first = (x != x && y == y) || x < y || (zeros && 1f / x < 1f / y) ? 1 : 0;
      if (i < out.getSize()) {
        out.set(i, first);
      }
    }
  }

  public static void bits(KernelContext context, FloatArray a, FloatArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      float x = a.get(i);
      float y = b.get(i);
      int xNumber = x == x ? 1 : 0;
      int yNumber = y == y ? 1 : 0;
      int xZero = x == 0f ? 1 : 0;
      int yZero = y == 0f ? 1 : 0;
      int less = x < y ? 1 : 0;
      int lower = 1f / x < 1f / y ? 1 : 0;
      int first = ((1 - xNumber) & yNumber) | less | (xZero & yZero & lower);
      if (i < out.getSize()) {
        out.set(i, first != 0 ? 1 : 0);
      }
    }
  }

  public static void widened(KernelContext context, FloatArray values, DoubleArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, values.get(i));
    }
  }

  public static void narrowed(KernelContext context, DoubleArray values, FloatArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (float) values.get(i));
    }
  }

  public static void squareRootFloat(KernelContext context, FloatArray values, FloatArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (float) Math.sqrt(values.get(i)));
    }
  }

  public static void tornadoSquareRoot(KernelContext context, FloatArray values, FloatArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, TornadoMath.sqrt(values.get(i)));
    }
  }

  public static void squareRootDouble(KernelContext context, DoubleArray values, DoubleArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, Math.sqrt(values.get(i)));
    }
  }
}
