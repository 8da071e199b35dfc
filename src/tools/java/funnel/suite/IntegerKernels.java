package funnel.suite;

import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels of {@link IntegerRules}. */
final class IntegerKernels {

  private IntegerKernels() {}

  public static void byPowerOfTwo(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int v = values.get(i);
      out.set(2 * i, v / 2);
      out.set(2 * i + 1, v / 8);
    }
  }

  public static void remainderOfPowerOfTwo(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int v = values.get(i);
      out.set(2 * i, v % 2);
      out.set(2 * i + 1, v % 8);
    }
  }

  public static void floored(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int v = values.get(i);
      int eighth = Math.floorDiv(v, 8);
      int tenth = Math.floorDiv(v, 10);
      if (2 * i + 1 < out.getSize()) {
        out.set(2 * i, eighth);
        out.set(2 * i + 1, tenth);
      }
    }
  }

  public static void byTen(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int v = values.get(i);
      out.set(2 * i, v / 10);
      out.set(2 * i + 1, v % 10);
    }
  }

  public static void byTenLong(KernelContext context, LongArray values, LongArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      long v = values.get(i);
      out.set(2 * i, v / 10);
      out.set(2 * i + 1, v % 10);
    }
  }

  public static void byVariable(
      KernelContext context, IntArray values, IntArray divisors, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, values.get(i) / divisors.get(i));
    }
  }

  public static void byVariableLong(
      KernelContext context, LongArray values, LongArray divisors, LongArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, values.get(i) / divisors.get(i));
    }
  }

  public static void minimumByChain(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (Integer.MIN_VALUE / (values.get(i) | 1)) / (i | 1));
    }
  }

  public static void comparedUnsigned(KernelContext context, IntArray a, IntArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, Integer.compareUnsigned(a.get(i), b.get(i)) < 0 ? 1 : 0);
    }
  }

  public static void comparedUnsignedLong(
      KernelContext context, LongArray a, LongArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, Long.compareUnsigned(a.get(i), b.get(i)) < 0 ? 1 : 0);
    }
  }

  public static void lessUnsigned(KernelContext context, IntArray a, IntArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, Scalars.lessUnsigned(a.get(i), b.get(i)) ? 1 : 0);
    }
  }

  public static void lessUnsignedLong(
      KernelContext context, LongArray a, LongArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, Scalars.lessUnsigned(a.get(i), b.get(i)) ? 1 : 0);
    }
  }

  public static void signFlipped(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int v = values.get(i);
      out.set(2 * i, v ^ 0x80000000);
      out.set(2 * i + 1, ~v);
    }
  }

  public static void mathMinMax(KernelContext context, IntArray a, IntArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(2 * i, Math.min(a.get(i), b.get(i)));
      out.set(2 * i + 1, Math.max(a.get(i), b.get(i)));
    }
  }

  public static void mathMinMaxConstant(KernelContext context, LongArray values, LongArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      long v = values.get(i);
      out.set(2 * i, Math.min(v, 100L));
      out.set(2 * i + 1, Math.max(v, 100L));
    }
  }

  public static void scalarsMinMax(KernelContext context, IntArray a, IntArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int smaller = Scalars.min(a.get(i), b.get(i));
      int larger = Scalars.max(a.get(i), b.get(i));
      if (2 * i + 1 < out.getSize()) {
        out.set(2 * i, smaller);
        out.set(2 * i + 1, larger);
      }
    }
  }

  public static void scalarsMinMaxLong(
      KernelContext context, LongArray a, LongArray b, LongArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      long smaller = Scalars.min(a.get(i), b.get(i));
      long larger = Scalars.max(a.get(i), b.get(i));
      if (2 * i + 1 < out.getSize()) {
        out.set(2 * i, smaller);
        out.set(2 * i + 1, larger);
      }
    }
  }

  public static void scalarsMinMaxConstant(KernelContext context, LongArray values, LongArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      long v = values.get(i);
      long smaller = Scalars.min(v, 100L);
      long larger = Scalars.max(v, 100L);
      if (2 * i + 1 < out.getSize()) {
        out.set(2 * i, smaller);
        out.set(2 * i + 1, larger);
      }
    }
  }

  public static void wrapped(KernelContext context, IntArray a, IntArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(3 * i, a.get(i) + b.get(i));
      out.set(3 * i + 1, a.get(i) - b.get(i));
      out.set(3 * i + 2, a.get(i) * b.get(i));
    }
  }

  public static void wrappedLong(KernelContext context, LongArray a, LongArray b, LongArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(3 * i, a.get(i) + b.get(i));
      out.set(3 * i + 1, a.get(i) - b.get(i));
      out.set(3 * i + 2, a.get(i) * b.get(i));
    }
  }

  public static void bitwise(KernelContext context, LongArray a, LongArray b, LongArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(3 * i, a.get(i) & b.get(i));
      out.set(3 * i + 1, a.get(i) | b.get(i));
      out.set(3 * i + 2, a.get(i) ^ b.get(i));
    }
  }

  public static void timesMinimum(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, Integer.MIN_VALUE * values.get(i));
    }
  }

  public static void negatedSignBit(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, -(values.get(i) & 0x80000000));
    }
  }

  public static void ones(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, Integer.bitCount(values.get(i)));
    }
  }

  public static void narrowed(KernelContext context, LongArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      long v = values.get(i);
      out.set(3 * i, (int) v);
      out.set(3 * i + 1, (short) v);
      out.set(3 * i + 2, (byte) v);
    }
  }

  public static void unsignedByte(KernelContext context, ByteArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, Scalars.value(values.get(i)));
    }
  }

  public static void longIndex(
      KernelContext context, IntArray shape, IntArray values, IntArray out) {
    int i = context.globalIdx;
    long place = (long) i * shape.get(0) + shape.get(1);
    long limit = (long) shape.get(0) * shape.get(2);
    int value = -1;
    if (place < limit) {
      value = values.get((int) (place / shape.get(0)));
    }
    if (i < out.getSize()) {
      out.set(i, value);
    }
  }
}
