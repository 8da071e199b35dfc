package funnel.suite;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels of {@link LaunchRules}. */
final class LaunchKernels {

  private LaunchKernels() {}

  public static void place(KernelContext context, IntArray out) {
    int i = context.globalIdx;
    if (i < out.getSize() / 5) {
      out.set(5 * i, i);
      out.set(5 * i + 1, context.localIdx);
      out.set(5 * i + 2, context.groupIdx);
      out.set(5 * i + 3, context.localGroupSizeX);
      out.set(5 * i + 4, context.globalGroupSizeX);
    }
  }

  public static void placeInPlane(KernelContext context, IntArray out) {
    int x = context.globalIdx;
    int y = context.globalIdy;
    int i = y * context.globalGroupSizeX + x;
    if (i < out.getSize() / 4) {
      out.set(4 * i, context.localIdx);
      out.set(4 * i + 1, context.localIdy);
      out.set(4 * i + 2, context.groupIdx);
      out.set(4 * i + 3, context.groupIdy);
    }
  }

  public static void wholeBlock(KernelContext context, IntArray values, IntArray out, int threads) {
    int thread = context.localIdx;
    int i = context.globalIdx;
    int[] scratch = context.allocateIntLocalArray(threads);
    scratch[thread] = values.get(i);
    context.localBarrier();
    if (i < values.getSize()) {
      out.set(2 * i, context.localGroupSizeX);
      out.set(2 * i + 1, scratch[threads - 1 - thread]);
    }
  }

  public static void indices(KernelContext context, IntArray out) {
    int i = context.globalIdx;
    if (i < out.getSize()) {
      out.set(i, i);
    }
  }

  public static void flipped(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < out.getSize()) {
      out.set(i, values.get(i) ^ 1);
    }
  }

  public static void up(KernelContext context, IntArray out) {
    int i = context.globalIdx;
    if (i < out.getSize()) {
      out.set(i, out.get(i) + 1);
    }
  }

  public static void lengthInArray(KernelContext context, IntArray shape, IntArray out) {
    int i = context.globalIdx;
    if (i < shape.get(0)) {
      out.set(i, out.get(i) + 1);
    }
  }

  public static void scalars(
      KernelContext context, LongArray values, LongArray out, int step, long factor) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, values.get(i) * factor + step);
    }
  }

  public static void sumOfTwo(KernelContext context, IntArray a, IntArray b, IntArray out) {
    int i = context.globalIdx;
    if (i < a.getSize()) {
      out.set(i, 3 * a.get(i) + b.get(i));
    }
  }

  public static void total(KernelContext context, IntArray values, IntArray total) {
    int i = context.globalIdx;
    if (i == 0) {
      int sum = 0;
      for (int at = 0; at < values.getSize(); at++) {
        sum += values.get(at);
      }
      total.set(0, sum);
    }
  }

  public static void addTotal(
      KernelContext context, IntArray values, IntArray total, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      out.set(i, values.get(i) + total.get(0));
    }
  }

  public static void counted(KernelContext context, FloatArray result, float value) {
    int i = context.globalIdx;
    if (i == 0) {
      result.set(0, value);
      float runs = result.get(1) + 1f;
      if (runs > 2f) {
        runs = 0f;
      }
      result.set(1, runs);
    }
  }

  public static void lanes(
      KernelContext context, IntArray shape, IntArray values, IntArray out, int perThread) {
    int i = context.globalIdx;
    int length = shape.get(0);
    int step = shape.get(1);
    int inFlight = perThread < 8 ? 8 : perThread;
    int[] lanes = new int[perThread];
    int[] loaded = new int[inFlight];
    for (int c = 0; c < perThread; c++) {
      lanes[c] = 0;
    }
    for (int base = i; base < length; base += inFlight * step) {
      for (int c = 0; c < inFlight; c++) {
        int item = base + c * step;
        int value = 0;
        if (item < length) {
          value = values.get(item);
        }
        loaded[c] = value;
      }
      for (int c = 0; c < inFlight; c++) {
        lanes[c % perThread] = 5 * lanes[c % perThread] + loaded[c];
      }
    }
    int folded = folded(lanes, perThread);
    if (i < out.getSize()) {
      out.set(i, folded);
    }
  }

  private static int folded(int[] lanes, int perThread) {
    for (int half = perThread / 2; half > 0; half = half / 2) {
      for (int c = 0; c < half; c++) {
        lanes[c] = 3 * lanes[c] + lanes[c + half];
      }
    }
    return lanes[0];
  }

  public static void seven(KernelContext context, IntArray out) {
    out.set(0, 7);
  }

  public static void indexedPrivately(
      KernelContext context, IntArray values, IntArray out, int perThread) {
    int i = context.globalIdx;
    int[] counts = new int[perThread];
    for (int c = 0; c < perThread; c++) {
      counts[c] = 0;
    }
    if (i < out.getSize() / perThread) {
      for (int at = 0; at < values.getSize(); at++) {
        int slot = (values.get(at) + i) & (perThread - 1);
        counts[slot] = counts[slot] + 1;
      }
      for (int c = 0; c < perThread; c++) {
        out.set(i * perThread + c, counts[c]);
      }
    }
  }
}
