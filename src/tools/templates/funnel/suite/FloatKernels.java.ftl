<#-- Kernels of rules on numbers in floating point: ${type} is Float or Double. -->
<#assign
    T = type
    t = type?lower_case
    wide = type == "Double"
    d = wide?then("d", "f")
    bits = wide?then("long", "int")
    rawBits = t + "ToRaw" + bits?cap_first + "Bits">
package funnel.suite;

import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.${T}Array;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels of {@link ${T}Rules}. */
final class ${T}Kernels {

  private ${T}Kernels() {}

  public static void ordered(KernelContext context, ${T}Array a, ${T}Array b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      ${t} x = a.get(i);
      ${t} y = b.get(i);
      out.set(4 * i, x < y ? 1 : 0);
      out.set(4 * i + 1, x > y ? 1 : 0);
      out.set(4 * i + 2, x == y ? 1 : 0);
      out.set(4 * i + 3, x != x ? 1 : 0);
    }
  }

  public static void orderedOrEqual(
      KernelContext context, ${T}Array a, ${T}Array b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      ${t} x = a.get(i);
      ${t} y = b.get(i);
      out.set(2 * i, x <= y ? 1 : 0);
      out.set(2 * i + 1, x >= y ? 1 : 0);
    }
  }

  public static void mathMinMax(
      KernelContext context, ${T}Array a, ${T}Array b, ${T}Array out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(2 * i, Math.min(a.get(i), b.get(i)));
      out.set(2 * i + 1, Math.max(a.get(i), b.get(i)));
    }
  }

  public static void scalarsMinMax(
      KernelContext context, ${T}Array a, ${T}Array b, ${T}Array out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      ${t} smaller = Scalars.min(a.get(i), b.get(i));
      ${t} larger = Scalars.max(a.get(i), b.get(i));
      if (2 * i + 1 < out.getSize()) {
        out.set(2 * i, smaller);
        out.set(2 * i + 1, larger);
      }
    }
  }

  public static void scalarsOrder(
      KernelContext context, ${T}Array a, ${T}Array b, IntArray out) {
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

  public static void reciprocal(KernelContext context, ${T}Array values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      ${t} x = values.get(i);
      out.set(i, 1${d} / x < 0${d} ? 1 : 0);
    }
  }

  public static void arithmetic(
      KernelContext context, ${T}Array a, ${T}Array b, ${T}Array out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      ${t} x = a.get(i);
      ${t} y = b.get(i);
      out.set(3 * i, x + y);
      out.set(3 * i + 1, x - y);
      out.set(3 * i + 2, x * y);
    }
  }

  public static void quotient(
      KernelContext context, ${T}Array a, ${T}Array b, ${T}Array out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, a.get(i) / b.get(i));
    }
  }

  public static void multiplyAdd(
      KernelContext context, ${T}Array a, ${T}Array b, ${T}Array c, ${T}Array out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, a.get(i) * b.get(i) + c.get(i));
    }
  }

  public static void guardedMultiplyAdd(
      KernelContext context,
      IntArray shape,
      ${T}Array a,
      ${T}Array b,
      ${T}Array out,
      int perThread) {
    int i = context.globalIdx;
    int length = shape.get(0);
    int step = shape.get(1);
    ${t}[] loaded = new ${t}[perThread];
    ${t} sum = 0${d};
    for (int base = i; base < length; base += perThread * step) {
      for (int c = 0; c < perThread; c++) {
        int item = base + c * step;
        ${t} value = 0${d};
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

  public static void serialSum(
      KernelContext context, IntArray shape, ${T}Array values, ${T}Array out) {
    int i = context.globalIdx;
    ${t} sum = 0${d};
    for (int item = i; item < shape.get(0); item += shape.get(1)) {
      sum = sum + values.get(item);
    }
    if (i < out.getSize()) {
      out.set(i, sum);
    }
  }

  public static void infinityConstant(
      KernelContext context, ${T}Array values, ${T}Array out) {
    int i = context.globalIdx;
    if (i < out.getSize()) {
      ${t} smallest = ${T}.POSITIVE_INFINITY;
      for (int item = i; item < values.getSize(); item += out.getSize()) {
        ${t} v = values.get(item);
        smallest = v < smallest ? v : smallest;
      }
      out.set(i, smallest);
    }
  }

  public static void infinityOperand(
      KernelContext context, ${T}Array values, ${T}Array out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, values.get(i) + ${T}.POSITIVE_INFINITY);
    }
  }

  public static void identity(
      KernelContext context,
      IntArray selected,
      ${T}Array out,
      ${t} first,
      ${t} second,
      ${t} third) {
    int i = context.globalIdx;
    if (i < selected.getSize()) {
      ${t} value = first;
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

  public static void toInt(KernelContext context, ${T}Array values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (int) values.get(i));
    }
  }

  public static void toLong(KernelContext context, ${T}Array values, LongArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (long) values.get(i));
    }
  }

  public static void copiedBits(KernelContext context, ${T}Array values, ${bits?cap_first}Array out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, ${T}.${rawBits}(values.get(i)));
    }
    context.localBarrier();
    if (i < values.getSize()) {
      out.set(i, out.get(i) ^ 1);
    }
  }

  public static void copiedOfBits(KernelContext context, ${bits?cap_first}Array values, ${T}Array out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, ${T}.${bits}BitsTo${T}(values.get(i)));
    }
  }

  public static void fromInt(KernelContext context, IntArray values, ${T}Array out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (${t}) values.get(i));
    }
  }

  public static void fromLong(KernelContext context, LongArray values, ${T}Array out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, (${t}) values.get(i));
    }
  }
}
