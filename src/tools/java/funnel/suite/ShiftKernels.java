package funnel.suite;

import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels of {@link ShiftRules}. */
final class ShiftKernels {

  private ShiftKernels() {}

  public static void signedInt(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int v = values.get(i);
      out.set(3 * i, v >> 1);
      out.set(3 * i + 1, v >> 7);
      out.set(3 * i + 2, v >> 31);
    }
  }

  public static void signedLong(KernelContext context, LongArray values, LongArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      long v = values.get(i);
      out.set(3 * i, v >> 1);
      out.set(3 * i + 1, v >> 32);
      out.set(3 * i + 2, v >> 63);
    }
  }

  public static void signedByHand(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int v = values.get(i);
      int shifted;
      if (v < 0) {
        shifted = ~(((~v) >> 7) & 0x01ffffff);
      } else {
        shifted = (v >> 7) & 0x01ffffff;
      }
      if (i < out.getSize()) {
        out.set(i, shifted);
      }
    }
  }

  public static void signedProduct(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int v = values.get(i);
      out.set(i, (v * v) >> 20);
    }
  }

  public static void unsignedInt(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int v = values.get(i);
      out.set(3 * i, v >>> 1);
      out.set(3 * i + 1, v >>> 24);
      out.set(3 * i + 2, (v >>> 28) & 15);
    }
  }

  public static void unsignedLong(KernelContext context, LongArray values, LongArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      long v = values.get(i);
      out.set(3 * i, v >>> 1);
      out.set(3 * i + 1, v >>> 40);
      out.set(3 * i + 2, v >>> 63);
    }
  }

  public static void maskedInt(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int v = values.get(i);
      out.set(4 * i, v & 0xff);
      out.set(4 * i + 1, (v >> 8) & 0xff);
      out.set(4 * i + 2, (v >> 24) & 0xff);
      out.set(4 * i + 3, (v >> 28) & 15);
    }
  }

  public static void maskedLong(KernelContext context, LongArray values, LongArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      long v = values.get(i);
      out.set(3 * i, (v >> 8) & 0xffL);
      out.set(3 * i + 1, (v >> 56) & 0xffL);
      out.set(3 * i + 2, (v >> 32) & 0xffffffffL);
    }
  }

  public static void digit(
      KernelContext context, IntArray values, IntArray distances, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (values.get(i) >> distances.get(i)) & 0xff);
    }
  }

  public static void logicalConstant(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int v = values.get(i);
      out.set(3 * i, Scalars.logicalShiftRight(v, 1));
      out.set(3 * i + 1, Scalars.logicalShiftRight(v, 16));
      out.set(3 * i + 2, Scalars.logicalShiftRight(v, 31));
    }
  }

  public static void logicalVariable(
      KernelContext context, IntArray values, IntArray distances, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, Scalars.logicalShiftRight(values.get(i), distances.get(i)));
    }
  }

  public static void leftConstant(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int v = values.get(i);
      out.set(3 * i, v << 1);
      out.set(3 * i + 1, v << 16);
      out.set(3 * i + 2, v << 30);
    }
  }

  public static void leftBySignBit(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, values.get(i) << 31);
    }
  }

  public static void leftFar(
      KernelContext context, IntArray values, IntArray distances, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, values.get(i) << distances.get(i));
    }
  }

  public static void leftFarLong(
      KernelContext context, LongArray values, IntArray distances, LongArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, values.get(i) << distances.get(i));
    }
  }

  public static void leftMasked(
      KernelContext context, IntArray values, IntArray distances, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, values.get(i) << (distances.get(i) & 31));
    }
  }

  public static void rotated(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, Integer.rotateLeft(values.get(i), 13));
    }
  }

  public static void packed(KernelContext context, IntArray highs, IntArray lows, LongArray out) {
    int i = context.globalIdx;
    if (i < highs.getSize()) {
      out.set(i, ((long) highs.get(i) << 32) | (lows.get(i) & 0xffffffffL));
    }
  }

  public static void unpacked(KernelContext context, LongArray pairs, IntArray out) {
    int i = context.globalIdx;
    if (i < pairs.getSize()) {
      long pair = pairs.get(i);
      out.set(2 * i, (int) (pair >> 32));
      out.set(2 * i + 1, (int) pair);
    }
  }
}
