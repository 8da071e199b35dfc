package funnel.suite;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels of {@link LoopRules}. */
final class LoopKernels {

  private LoopKernels() {}

  public static void inBothArms(
      KernelContext context, IntArray shape, IntArray values, IntArray out) {
    int i = context.globalIdx;
    int length = shape.get(0);
    int items = shape.get(1);
    int begin = i * items;
    int sum = 0;
    if (begin + items <= length) {
      for (int c = 0; c < items; c++) {
        sum += values.get(begin + c);
      }
    } else {
      for (int at = begin; at < length; at++) {
        sum += values.get(at);
      }
    }
    if (i < out.getSize()) {
      out.set(i, sum);
    }
  }

  public static void storingInBothArms(
      KernelContext context, IntArray shape, IntArray values, IntArray out) {
    int i = context.globalIdx;
    int length = shape.get(0);
    int items = shape.get(1);
    int begin = i * items;
    if (begin + items <= length) {
      int sum = 0;
      for (int c = 0; c < items; c++) {
        sum += values.get(begin + c);
      }
      out.set(i, sum);
    } else {
      int sum = 0;
      for (int at = begin; at < length; at++) {
        sum += values.get(at);
      }
      if (i < out.getSize()) {
        out.set(i, sum);
      }
    }
  }

  public static void inOneArm(
      KernelContext context, IntArray shape, IntArray values, IntArray out) {
    int i = context.globalIdx;
    int items = shape.get(1);
    int begin = i * items;
    int sum = -1;
    if (begin + items <= shape.get(0)) {
      sum = 0;
      for (int c = 0; c < items; c++) {
        sum += values.get(begin + c);
      }
    }
    if (i < out.getSize()) {
      out.set(i, sum);
    }
  }

  public static void guarded(KernelContext context, IntArray shape, IntArray values, IntArray out) {
    int i = context.globalIdx;
    int length = shape.get(0);
    int items = shape.get(1);
    int begin = i * items;
    int sum = 0;
    for (int c = 0; c < items; c++) {
      if (begin + c < length) {
        sum += values.get(begin + c);
      }
    }
    if (i < out.getSize()) {
      out.set(i, sum);
    }
  }

  public static void oneAfterAnother(
      KernelContext context, IntArray shape, IntArray values, IntArray out) {
    int i = context.globalIdx;
    int length = shape.get(0);
    int items = shape.get(1);
    int begin = i * items;
    int full = begin + items <= length ? items : 0;
    int sum = 0;
    for (int c = 0; c < full; c++) {
      sum += values.get(begin + c);
    }
    for (int at = begin + full; at < begin + items; at++) {
      if (at < length) {
        sum += values.get(at);
      }
    }
    if (i < out.getSize()) {
      out.set(i, sum);
    }
  }

  public static void strided(KernelContext context, IntArray shape, IntArray values, IntArray out) {
    int i = context.globalIdx;
    int sum = 0;
    for (int at = i; at < shape.get(0); at += context.globalGroupSizeX) {
      sum += values.get(at);
    }
    if (i < out.getSize()) {
      out.set(i, sum);
    }
  }

  public static void twoExits(
      KernelContext context, IntArray shape, IntArray values, IntArray targets, IntArray out) {
    int i = context.globalIdx;
    if (i < targets.getSize()) {
      int target = targets.get(i);
      int found = -1;
      for (int k = 0; k < shape.get(0); k++) {
        if (values.get(k) == target) {
          found = k;
          break;
        }
      }
      if (i < out.getSize()) {
        out.set(i, found);
      }
    }
  }

  public static void returnInHelper(
      KernelContext context, IntArray shape, IntArray values, IntArray targets, IntArray out) {
    int i = context.globalIdx;
    if (i < targets.getSize()) {
      int found = indexOf(values, shape.get(0), targets.get(i));
      if (i < out.getSize()) {
        out.set(i, found);
      }
    }
  }

  private static int indexOf(IntArray values, int length, int target) {
    for (int k = 0; k < length; k++) {
      if (values.get(k) == target) {
        return k;
      }
    }
    return -1;
  }

  public static void singleExit(
      KernelContext context, IntArray shape, IntArray values, IntArray targets, IntArray out) {
    int i = context.globalIdx;
    if (i < targets.getSize()) {
      int target = targets.get(i);
      int length = shape.get(0);
      int k = 0;
      while (k < length && values.get(k) != target) {
        k++;
      }
      int found = k < length ? k : -1;
      if (i < out.getSize()) {
        out.set(i, found);
      }
    }
  }

  public static void flagInCondition(
      KernelContext context, IntArray shape, IntArray values, IntArray targets, IntArray out) {
    int i = context.globalIdx;
    if (i < targets.getSize()) {
      int target = targets.get(i);
      int found = -1;
      for (int k = 0; k < shape.get(0); k++) {
        if (values.get(k) == target && found < 0) {
          found = k;
        }
      }
      out.set(i, found);
    }
  }

  public static void bisected(
      KernelContext context, IntArray shape, IntArray values, IntArray targets, IntArray out) {
    int i = context.globalIdx;
    if (i < targets.getSize()) {
      int target = targets.get(i);
      int low = 0;
      int high = shape.get(0);
      while (low < high) {
        int middle = low + (high - low) / 2;
        if (values.get(middle) < target) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      out.set(i, low);
    }
  }

  public static void halvingAndDoubling(KernelContext context, IntArray starts, IntArray out) {
    int i = context.globalIdx;
    if (i < starts.getSize()) {
      int halvings = 0;
      for (int stride = starts.get(i); stride > 0; stride = stride / 2) {
        halvings++;
      }
      int doublings = 0;
      for (int stride = 1; stride < starts.get(i); stride = stride * 2) {
        doublings++;
      }
      out.set(2 * i, halvings);
      out.set(2 * i + 1, doublings);
    }
  }

  public static void switchOnArgument(
      KernelContext context, IntArray a, IntArray b, IntArray out, int operator) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int result = chosen(operator, a.get(i), b.get(i));
      if (i < out.getSize()) {
        out.set(i, result);
      }
    }
  }

  public static void switchOnValue(
      KernelContext context, IntArray operators, IntArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < operators.getSize()) {
      int result = chosen(operators.get(i), 100, b.get(i));
      if (i < out.getSize()) {
        out.set(i, result);
      }
    }
  }

  static int chosen(int operator, int left, int right) {
    return switch (operator) {
      case 1 -> left + right;
      case 2 -> left - right;
      case 5 -> left ^ right;
      default -> left;
    };
  }

  public static void joined(
      KernelContext context, IntArray a, IntArray b, IntArray c, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int x = a.get(i);
      int y = b.get(i);
      int z = c.get(i);
      int either = x < y || (x == y && z < 1) ? 1 : 0;
      int both = (x != y && z == 1) || y < z ? 1 : 0;
      int neither = !(x < y || y == z) ? 1 : 0;
      if (3 * i + 2 < out.getSize()) {
        out.set(3 * i, either);
        out.set(3 * i + 1, both);
        out.set(3 * i + 2, neither);
      }
    }
  }

  public static void nested(
      KernelContext context, IntArray a, IntArray b, IntArray c, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int x = a.get(i);
      int y = b.get(i);
      int z = c.get(i);
      int either = x < y ? 1 : (x == y ? (z < 1 ? 1 : 0) : 0);
      int both = x != y ? (z == 1 ? 1 : (y < z ? 1 : 0)) : (y < z ? 1 : 0);
      int neither = x < y ? 0 : (y == z ? 0 : 1);
      if (3 * i + 2 < out.getSize()) {
        out.set(3 * i, either);
        out.set(3 * i + 1, both);
        out.set(3 * i + 2, neither);
      }
    }
  }

  public static void bits(KernelContext context, IntArray a, IntArray b, IntArray c, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      int x = a.get(i);
      int y = b.get(i);
      int z = c.get(i);
      int less = x < y ? 1 : 0;
      int same = x == y ? 1 : 0;
      int below = z < 1 ? 1 : 0;
      int one = z == 1 ? 1 : 0;
      int under = y < z ? 1 : 0;
      int equal = y == z ? 1 : 0;
      if (3 * i + 2 < out.getSize()) {
        out.set(3 * i, less | (same & below));
        out.set(3 * i + 1, ((1 - same) & one) | under);
        out.set(3 * i + 2, 1 - (less | equal));
      }
    }
  }

  record Pair(int low, int high) {
    Pair swapped() {
      return new Pair(high, low);
    }
  }

  public static void records(KernelContext context, IntArray a, IntArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      Pair pair = new Pair(a.get(i), b.get(i));
      if (pair.low() > pair.high()) {
        pair = pair.swapped();
      }
      if (2 * i + 1 < out.getSize()) {
        out.set(2 * i, pair.low());
        out.set(2 * i + 1, pair.high());
      }
    }
  }
}
