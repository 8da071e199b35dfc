package funnel.suite;

import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels of {@link FloatRules}, {@link DoubleRules} and {@link MixedFloatRules}. */
final class FloatKernels {

  private FloatKernels() {}

  public static void orderedFloat(KernelContext context, FloatArray a, FloatArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      float x = a.get(i);
      float y = b.get(i);
      out.set(4 * i, x < y ? 1 : 0);
      out.set(4 * i + 1, x > y ? 1 : 0);
      out.set(4 * i + 2, x == y ? 1 : 0);
      out.set(4 * i + 3, x != x ? 1 : 0);
    }
  }

  public static void orderedOrEqualFloat(
      KernelContext context, FloatArray a, FloatArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      float x = a.get(i);
      float y = b.get(i);
      out.set(2 * i, x <= y ? 1 : 0);
      out.set(2 * i + 1, x >= y ? 1 : 0);
    }
  }

  public static void mathMinMaxFloat(
      KernelContext context, FloatArray a, FloatArray b, FloatArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(2 * i, Math.min(a.get(i), b.get(i)));
      out.set(2 * i + 1, Math.max(a.get(i), b.get(i)));
    }
  }

  public static void scalarsMinMaxFloat(
      KernelContext context, FloatArray a, FloatArray b, FloatArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      float smaller = Scalars.min(a.get(i), b.get(i));
      float larger = Scalars.max(a.get(i), b.get(i));
      if (2 * i + 1 < out.getSize()) {
        out.set(2 * i, smaller);
        out.set(2 * i + 1, larger);
      }
    }
  }

  public static void scalarsOrderFloat(
      KernelContext context, FloatArray a, FloatArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int smaller = Scalars.isSmaller(a.get(i), b.get(i)) ? 1 : 0;
      int larger = Scalars.isLarger(a.get(i), b.get(i)) ? 1 : 0;
      if (2 * i + 1 < out.getSize()) {
        out.set(2 * i, smaller);
        out.set(2 * i + 1, larger);
      }
    }
  }

  public static void reciprocalFloat(KernelContext context, FloatArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      float x = values.get(i);
      out.set(i, 1f / x < 0f ? 1 : 0);
    }
  }

  public static void arithmeticFloat(
      KernelContext context, FloatArray a, FloatArray b, FloatArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      float x = a.get(i);
      float y = b.get(i);
      out.set(3 * i, x + y);
      out.set(3 * i + 1, x - y);
      out.set(3 * i + 2, x * y);
    }
  }

  public static void quotientFloat(
      KernelContext context, FloatArray a, FloatArray b, FloatArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, a.get(i) / b.get(i));
    }
  }

  public static void multiplyAddFloat(
      KernelContext context, FloatArray a, FloatArray b, FloatArray c, FloatArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, a.get(i) * b.get(i) + c.get(i));
    }
  }

  public static void guardedMultiplyAddFloat(
      KernelContext context,
      IntArray shape,
      FloatArray a,
      FloatArray b,
      FloatArray out,
      int perThread) {
    int i = context.globalIdx;
    int length = shape.get(0);
    int step = shape.get(1);
    float[] loaded = new float[perThread];
    float sum = 0f;
    for (int base = i; base < length; base += perThread * step) {
      for (int c = 0; c < perThread; c++) {
        int item = base + c * step;
        float value = 0f;
        if (item < length) {
          value = a.get(item) * b.get(item);
        }
        loaded[c] = value;
      }
      for (int c = 0; c < perThread; c++) {
        sum = sum + loaded[c];
      }
    }
    if (i < out.getSize()) {
      out.set(i, sum);
    }
  }

  public static void serialSumFloat(
      KernelContext context, IntArray shape, FloatArray values, FloatArray out) {
    int i = context.globalIdx;
    float sum = 0f;
    for (int item = i; item < shape.get(0); item += shape.get(1)) {
      sum = sum + values.get(item);
    }
    if (i < out.getSize()) {
      out.set(i, sum);
    }
  }

  public static void infinityConstantFloat(
      KernelContext context, FloatArray values, FloatArray out) {
    int i = context.globalIdx;
    if (i < out.getSize()) {
      float smallest = Float.POSITIVE_INFINITY;
      for (int item = i; item < values.getSize(); item += out.getSize()) {
        float v = values.get(item);
        smallest = v < smallest ? v : smallest;
      }
      out.set(i, smallest);
    }
  }

  public static void infinityOperandFloat(
      KernelContext context, FloatArray values, FloatArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, values.get(i) + Float.POSITIVE_INFINITY);
    }
  }

  public static void identityFloat(
      KernelContext context,
      IntArray selected,
      FloatArray out,
      float first,
      float second,
      float third) {
    int i = context.globalIdx;
    if (i < selected.getSize()) {
      float value = first;
      if (selected.get(i) == 1) {
        value = second;
      }
      if (selected.get(i) == 2) {
        value = third;
      }
      if (i < out.getSize()) {
        out.set(i, value);
      }
    }
  }

  public static void toIntFloat(KernelContext context, FloatArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (int) values.get(i));
    }
  }

  public static void toLongFloat(KernelContext context, FloatArray values, LongArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (long) values.get(i));
    }
  }

  public static void copiedBitsOfFloat(KernelContext context, FloatArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, Float.floatToRawIntBits(values.get(i)));
    }
    context.localBarrier();
    if (i < values.getSize()) {
      out.set(i, out.get(i) ^ 1);
    }
  }

  public static void copiedFloatOfBits(KernelContext context, IntArray values, FloatArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, Float.intBitsToFloat(values.get(i)));
    }
  }

  public static void copiedBitsOfDouble(KernelContext context, DoubleArray values, LongArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, Double.doubleToRawLongBits(values.get(i)));
    }
    context.localBarrier();
    if (i < values.getSize()) {
      out.set(i, out.get(i) ^ 1);
    }
  }

  public static void copiedDoubleOfBits(KernelContext context, LongArray values, DoubleArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, Double.longBitsToDouble(values.get(i)));
    }
  }

  public static void fromIntFloat(KernelContext context, IntArray values, FloatArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (float) values.get(i));
    }
  }

  public static void fromLongFloat(KernelContext context, LongArray values, FloatArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (float) values.get(i));
    }
  }

  public static void orderedDouble(
      KernelContext context, DoubleArray a, DoubleArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      double x = a.get(i);
      double y = b.get(i);
      out.set(4 * i, x < y ? 1 : 0);
      out.set(4 * i + 1, x > y ? 1 : 0);
      out.set(4 * i + 2, x == y ? 1 : 0);
      out.set(4 * i + 3, x != x ? 1 : 0);
    }
  }

  public static void orderedOrEqualDouble(
      KernelContext context, DoubleArray a, DoubleArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      double x = a.get(i);
      double y = b.get(i);
      out.set(2 * i, x <= y ? 1 : 0);
      out.set(2 * i + 1, x >= y ? 1 : 0);
    }
  }

  public static void mathMinMaxDouble(
      KernelContext context, DoubleArray a, DoubleArray b, DoubleArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(2 * i, Math.min(a.get(i), b.get(i)));
      out.set(2 * i + 1, Math.max(a.get(i), b.get(i)));
    }
  }

  public static void scalarsMinMaxDouble(
      KernelContext context, DoubleArray a, DoubleArray b, DoubleArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      double smaller = Scalars.min(a.get(i), b.get(i));
      double larger = Scalars.max(a.get(i), b.get(i));
      if (2 * i + 1 < out.getSize()) {
        out.set(2 * i, smaller);
        out.set(2 * i + 1, larger);
      }
    }
  }

  public static void scalarsOrderDouble(
      KernelContext context, DoubleArray a, DoubleArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int smaller = Scalars.isSmaller(a.get(i), b.get(i)) ? 1 : 0;
      int larger = Scalars.isLarger(a.get(i), b.get(i)) ? 1 : 0;
      if (2 * i + 1 < out.getSize()) {
        out.set(2 * i, smaller);
        out.set(2 * i + 1, larger);
      }
    }
  }

  public static void reciprocalDouble(KernelContext context, DoubleArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      double x = values.get(i);
      out.set(i, 1d / x < 0d ? 1 : 0);
    }
  }

  public static void arithmeticDouble(
      KernelContext context, DoubleArray a, DoubleArray b, DoubleArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      double x = a.get(i);
      double y = b.get(i);
      out.set(3 * i, x + y);
      out.set(3 * i + 1, x - y);
      out.set(3 * i + 2, x * y);
    }
  }

  public static void quotientDouble(
      KernelContext context, DoubleArray a, DoubleArray b, DoubleArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, a.get(i) / b.get(i));
    }
  }

  public static void multiplyAddDouble(
      KernelContext context, DoubleArray a, DoubleArray b, DoubleArray c, DoubleArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, a.get(i) * b.get(i) + c.get(i));
    }
  }

  public static void guardedMultiplyAddDouble(
      KernelContext context,
      IntArray shape,
      DoubleArray a,
      DoubleArray b,
      DoubleArray out,
      int perThread) {
    int i = context.globalIdx;
    int length = shape.get(0);
    int step = shape.get(1);
    double[] loaded = new double[perThread];
    double sum = 0d;
    for (int base = i; base < length; base += perThread * step) {
      for (int c = 0; c < perThread; c++) {
        int item = base + c * step;
        double value = 0d;
        if (item < length) {
          value = a.get(item) * b.get(item);
        }
        loaded[c] = value;
      }
      for (int c = 0; c < perThread; c++) {
        sum = sum + loaded[c];
      }
    }
    if (i < out.getSize()) {
      out.set(i, sum);
    }
  }

  public static void serialSumDouble(
      KernelContext context, IntArray shape, DoubleArray values, DoubleArray out) {
    int i = context.globalIdx;
    double sum = 0d;
    for (int item = i; item < shape.get(0); item += shape.get(1)) {
      sum = sum + values.get(item);
    }
    if (i < out.getSize()) {
      out.set(i, sum);
    }
  }

  public static void infinityConstantDouble(
      KernelContext context, DoubleArray values, DoubleArray out) {
    int i = context.globalIdx;
    if (i < out.getSize()) {
      double smallest = Double.POSITIVE_INFINITY;
      for (int item = i; item < values.getSize(); item += out.getSize()) {
        double v = values.get(item);
        smallest = v < smallest ? v : smallest;
      }
      out.set(i, smallest);
    }
  }

  public static void infinityOperandDouble(
      KernelContext context, DoubleArray values, DoubleArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, values.get(i) + Double.POSITIVE_INFINITY);
    }
  }

  public static void identityDouble(
      KernelContext context,
      IntArray selected,
      DoubleArray out,
      double first,
      double second,
      double third) {
    int i = context.globalIdx;
    if (i < selected.getSize()) {
      double value = first;
      if (selected.get(i) == 1) {
        value = second;
      }
      if (selected.get(i) == 2) {
        value = third;
      }
      if (i < out.getSize()) {
        out.set(i, value);
      }
    }
  }

  public static void toIntDouble(KernelContext context, DoubleArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (int) values.get(i));
    }
  }

  public static void toLongDouble(KernelContext context, DoubleArray values, LongArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (long) values.get(i));
    }
  }

  public static void fromIntDouble(KernelContext context, IntArray values, DoubleArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (double) values.get(i));
    }
  }

  public static void fromLongDouble(KernelContext context, LongArray values, DoubleArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (double) values.get(i));
    }
  }

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
