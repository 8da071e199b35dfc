package funnel.suite;

import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels of {@link ScalarsRules}. */
final class ScalarsKernels {

  private ScalarsKernels() {}

  public static void shiftsInt(KernelContext context, IntArray a, IntArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int v0 = Scalars.shiftLeft(a.get(i), b.get(i));
      int v1 = Scalars.shiftRight(a.get(i), b.get(i));
      int v2 = Scalars.shiftRightUnsigned(a.get(i), b.get(i));
      if (3 * i + 2 < out.getSize()) {
        out.set(3 * i + 0, v0);
        out.set(3 * i + 1, v1);
        out.set(3 * i + 2, v2);
      }
    }
  }

  public static void shiftsByConstantInt(
      KernelContext context, IntArray a, IntArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int v0 = Scalars.shiftRight(a.get(i), 7);
      int v1 = Scalars.shiftRight(a.get(i), -1);
      int v2 = Scalars.shiftRightUnsigned(a.get(i), 1);
      int v3 = Scalars.shiftRightUnsigned(a.get(i), 24);
      int v4 = Scalars.shiftRightUnsigned(a.get(i), -4) & 15;
      if (5 * i + 4 < out.getSize()) {
        out.set(5 * i + 0, v0);
        out.set(5 * i + 1, v1);
        out.set(5 * i + 2, v2);
        out.set(5 * i + 3, v3);
        out.set(5 * i + 4, v4);
      }
    }
  }

  public static void dividedInt(KernelContext context, IntArray a, IntArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int v0 = Scalars.divide(a.get(i), b.get(i));
      int v1 = Scalars.remainder(a.get(i), b.get(i));
      int v2 = Scalars.divide(a.get(i), 8);
      int v3 = Scalars.remainder(a.get(i), 8);
      int v4 = Scalars.divide(a.get(i), -2);
      if (5 * i + 4 < out.getSize()) {
        out.set(5 * i + 0, v0);
        out.set(5 * i + 1, v1);
        out.set(5 * i + 2, v2);
        out.set(5 * i + 3, v3);
        out.set(5 * i + 4, v4);
      }
    }
  }

  public static void comparedInt(KernelContext context, IntArray a, IntArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int v0 = Scalars.compare(a.get(i), b.get(i));
      int v1 = Scalars.compareUnsigned(a.get(i), b.get(i));
      if (2 * i + 1 < out.getSize()) {
        out.set(2 * i + 0, v0);
        out.set(2 * i + 1, v1);
      }
    }
  }

  public static void absoluteInt(KernelContext context, IntArray a, IntArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int v0 = Scalars.abs(a.get(i));
      if (1 * i + 0 < out.getSize()) {
        out.set(1 * i + 0, v0);
      }
    }
  }

  public static void shiftsLong(KernelContext context, LongArray a, IntArray b, LongArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      long v0 = Scalars.shiftLeft(a.get(i), b.get(i));
      long v1 = Scalars.shiftRight(a.get(i), b.get(i));
      long v2 = Scalars.shiftRightUnsigned(a.get(i), b.get(i));
      if (3 * i + 2 < out.getSize()) {
        out.set(3 * i + 0, v0);
        out.set(3 * i + 1, v1);
        out.set(3 * i + 2, v2);
      }
    }
  }

  public static void shiftsByConstantLong(
      KernelContext context, LongArray a, LongArray b, LongArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      long v0 = Scalars.shiftRight(a.get(i), 7);
      long v1 = Scalars.shiftRight(a.get(i), -1);
      long v2 = Scalars.shiftRightUnsigned(a.get(i), 1);
      long v3 = Scalars.shiftRightUnsigned(a.get(i), 24);
      long v4 = Scalars.shiftRightUnsigned(a.get(i), -4) & 15;
      if (5 * i + 4 < out.getSize()) {
        out.set(5 * i + 0, v0);
        out.set(5 * i + 1, v1);
        out.set(5 * i + 2, v2);
        out.set(5 * i + 3, v3);
        out.set(5 * i + 4, v4);
      }
    }
  }

  public static void dividedLong(KernelContext context, LongArray a, LongArray b, LongArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      long v0 = Scalars.divide(a.get(i), b.get(i));
      long v1 = Scalars.remainder(a.get(i), b.get(i));
      long v2 = Scalars.divide(a.get(i), 8);
      long v3 = Scalars.remainder(a.get(i), 8);
      long v4 = Scalars.divide(a.get(i), -2);
      if (5 * i + 4 < out.getSize()) {
        out.set(5 * i + 0, v0);
        out.set(5 * i + 1, v1);
        out.set(5 * i + 2, v2);
        out.set(5 * i + 3, v3);
        out.set(5 * i + 4, v4);
      }
    }
  }

  public static void comparedLong(KernelContext context, LongArray a, LongArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int v0 = Scalars.compare(a.get(i), b.get(i));
      int v1 = Scalars.compareUnsigned(a.get(i), b.get(i));
      if (2 * i + 1 < out.getSize()) {
        out.set(2 * i + 0, v0);
        out.set(2 * i + 1, v1);
      }
    }
  }

  public static void absoluteLong(KernelContext context, LongArray a, LongArray b, LongArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      long v0 = Scalars.abs(a.get(i));
      if (1 * i + 0 < out.getSize()) {
        out.set(1 * i + 0, v0);
      }
    }
  }

  public static void bitsFloat(KernelContext context, FloatArray a, FloatArray b, LongArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      long bits = Scalars.bits(a.get(i));
      float again = Scalars.ofBits(bits, b.get(i));
      out.set(2 * i, bits);
      out.set(2 * i + 1, Scalars.bits(again));
    }
  }

  public static void bitsDouble(
      KernelContext context, DoubleArray a, DoubleArray b, LongArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      long bits = Scalars.bits(a.get(i));
      double again = Scalars.ofBits(bits, b.get(i));
      out.set(2 * i, bits);
      out.set(2 * i + 1, Scalars.bits(again));
    }
  }

  public static void comparedFloat(
      KernelContext context, FloatArray a, FloatArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int v0 = Scalars.compare(a.get(i), b.get(i));
      if (1 * i + 0 < out.getSize()) {
        out.set(1 * i + 0, v0);
      }
    }
  }

  public static void comparedWithNaNFloat(
      KernelContext context, FloatArray a, FloatArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int v0 = Scalars.compareOrLess(a.get(i), b.get(i));
      int v1 = Scalars.compareOrGreater(a.get(i), b.get(i));
      int v2 = Scalars.compareOrGreater(a.get(i), b.get(i)) <= 0 ? 1 : 0;
      int v3 = Scalars.compareOrLess(a.get(i), b.get(i)) >= 0 ? 1 : 0;
      if (4 * i + 3 < out.getSize()) {
        out.set(4 * i + 0, v0);
        out.set(4 * i + 1, v1);
        out.set(4 * i + 2, v2);
        out.set(4 * i + 3, v3);
      }
    }
  }

  public static void comparedDouble(
      KernelContext context, DoubleArray a, DoubleArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int v0 = Scalars.compare(a.get(i), b.get(i));
      if (1 * i + 0 < out.getSize()) {
        out.set(1 * i + 0, v0);
      }
    }
  }

  public static void comparedWithNaNDouble(
      KernelContext context, DoubleArray a, DoubleArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int v0 = Scalars.compareOrLess(a.get(i), b.get(i));
      int v1 = Scalars.compareOrGreater(a.get(i), b.get(i));
      int v2 = Scalars.compareOrGreater(a.get(i), b.get(i)) <= 0 ? 1 : 0;
      int v3 = Scalars.compareOrLess(a.get(i), b.get(i)) >= 0 ? 1 : 0;
      if (4 * i + 3 < out.getSize()) {
        out.set(4 * i + 0, v0);
        out.set(4 * i + 1, v1);
        out.set(4 * i + 2, v2);
        out.set(4 * i + 3, v3);
      }
    }
  }
}
