package funnel.suite;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels of {@link LocalArrayRules}. */
final class LocalArrayKernels {

  private LocalArrayKernels() {}

  public static void reversed(KernelContext context, IntArray values, IntArray out, int threads) {
    int thread = context.localIdx;
    int i = context.globalIdx;
    int[] scratch = context.allocateIntLocalArray(threads);
    if (i < values.getSize()) {
      scratch[thread] = values.get(i);
    }
    context.localBarrier();
    if (i < out.getSize()) {
      out.set(i, scratch[threads - 1 - thread]);
    }
  }

  public static void treeInHelper(
      KernelContext context, IntArray values, IntArray out, int threads) {
    int thread = context.localIdx;
    int i = context.globalIdx;
    int block = context.groupIdx;
    int value = values.get(i);
    int sum = tree(context, thread, threads, value);
    int ofSquares = tree(context, thread, threads, value * value);
    if (thread == 0) {
      out.set(2 * block, sum);
      out.set(2 * block + 1, ofSquares);
    }
  }

  private static int tree(KernelContext context, int thread, int threads, int value) {
    int[] scratch = context.allocateIntLocalArray(threads);
    scratch[thread] = value;
    context.localBarrier();
    for (int stride = threads / 2; stride > 0; stride = stride / 2) {
      if (thread < stride) {
        scratch[thread] = scratch[thread] + scratch[thread + stride];
      }
      context.localBarrier();
    }
    return scratch[thread / threads];
  }

  public static void treeInHelperLong(
      KernelContext context, LongArray values, LongArray out, int threads) {
    int thread = context.localIdx;
    int i = context.globalIdx;
    int block = context.groupIdx;
    long value = values.get(i);
    long sum = tree(context, thread, threads, value);
    long ofSquares = tree(context, thread, threads, value * value);
    if (thread == 0) {
      out.set(2 * block, sum);
      out.set(2 * block + 1, ofSquares);
    }
  }

  private static long tree(KernelContext context, int thread, int threads, long value) {
    long[] scratch = context.allocateLongLocalArray(threads);
    scratch[thread] = value;
    context.localBarrier();
    for (int stride = threads / 2; stride > 0; stride = stride / 2) {
      if (thread < stride) {
        scratch[thread] = scratch[thread] + scratch[thread + stride];
      }
      context.localBarrier();
    }
    return scratch[thread / threads];
  }

  public static void treeInHelperFloat(
      KernelContext context, FloatArray values, FloatArray out, int threads) {
    int thread = context.localIdx;
    int i = context.globalIdx;
    int block = context.groupIdx;
    float value = values.get(i);
    float sum = tree(context, thread, threads, value);
    float ofHalves = tree(context, thread, threads, value * 0.5f);
    if (thread == 0) {
      out.set(2 * block, sum);
      out.set(2 * block + 1, ofHalves);
    }
  }

  private static float tree(KernelContext context, int thread, int threads, float value) {
    float[] scratch = context.allocateFloatLocalArray(threads);
    scratch[thread] = value;
    context.localBarrier();
    for (int stride = threads / 2; stride > 0; stride = stride / 2) {
      if (thread < stride) {
        scratch[thread] = scratch[thread] + scratch[thread + stride];
      }
      context.localBarrier();
    }
    return scratch[thread / threads];
  }

  public static void treeInHelperDouble(
      KernelContext context, DoubleArray values, DoubleArray out, int threads) {
    int thread = context.localIdx;
    int i = context.globalIdx;
    int block = context.groupIdx;
    double value = values.get(i);
    double sum = tree(context, thread, threads, value);
    double ofHalves = tree(context, thread, threads, value * 0.5);
    if (thread == 0) {
      out.set(2 * block, sum);
      out.set(2 * block + 1, ofHalves);
    }
  }

  private static double tree(KernelContext context, int thread, int threads, double value) {
    double[] scratch = context.allocateDoubleLocalArray(threads);
    scratch[thread] = value;
    context.localBarrier();
    for (int stride = threads / 2; stride > 0; stride = stride / 2) {
      if (thread < stride) {
        scratch[thread] = scratch[thread] + scratch[thread + stride];
      }
      context.localBarrier();
    }
    return scratch[thread / threads];
  }

  public static void neighbours(KernelContext context, IntArray values, IntArray out, int threads) {
    int thread = context.localIdx;
    int i = context.globalIdx;
    int block = context.groupIdx;
    int[] scratch = context.allocateIntLocalArray(threads);
    scratch[thread] = values.get(i);
    context.localBarrier();
    for (int stride = 1; stride < threads; stride = stride * 2) {
      int left = 2 * stride * thread;
      if (left < threads) {
        scratch[left] = 3 * scratch[left] + scratch[left + stride];
      }
      context.localBarrier();
    }
    int all = scratch[thread / threads];
    if (thread == 0) {
      out.set(block, all);
    }
  }

  public static void arrayFromHelper(
      KernelContext context, IntArray values, IntArray out, int threads) {
    int thread = context.localIdx;
    int i = context.globalIdx;
    int[] scratch = shared(context, thread, threads, values.get(i));
    if (i < out.getSize()) {
      out.set(i, scratch[threads - 1 - thread]);
    }
  }

  private static int[] shared(KernelContext context, int thread, int threads, int value) {
    int[] scratch = context.allocateIntLocalArray(threads);
    scratch[thread] = value;
    context.localBarrier();
    return scratch;
  }

  public static void arrayToHelper(
      KernelContext context, IntArray values, IntArray out, int threads) {
    int thread = context.localIdx;
    int i = context.globalIdx;
    int[] scratch = context.allocateIntLocalArray(threads);
    put(scratch, thread, values.get(i));
    context.localBarrier();
    if (i < out.getSize()) {
      out.set(i, at(scratch, threads - 1 - thread));
    }
  }

  private static void put(int[] scratch, int index, int value) {
    scratch[index] = value;
  }

  private static int at(int[] scratch, int index) {
    return scratch[index];
  }

  public static void fieldInHelper(
      KernelContext context, IntArray values, IntArray out, int threads) {
    int i = context.globalIdx;
    int mirrored = mirrored(context, threads, values.get(i));
    if (i < out.getSize()) {
      out.set(i, mirrored);
    }
  }

  private static int mirrored(KernelContext context, int threads, int value) {
    int[] scratch = context.allocateIntLocalArray(threads);
    scratch[context.localIdx] = value;
    context.localBarrier();
    return scratch[threads - 1 - context.localIdx];
  }

  public static void constantIndex(KernelContext context, IntArray out) {
    int thread = context.localIdx;
    int i = context.globalIdx;
    int[] scratch = context.allocateIntLocalArray(1);
    scratch[0] = thread;
    context.localBarrier();
    if (i < out.getSize()) {
      out.set(i, scratch[0]);
    }
  }

  public static void variableIndex(
      KernelContext context, IntArray values, IntArray out, int threads) {
    int thread = context.localIdx;
    int i = context.globalIdx;
    int zero = thread / threads;
    int[] scratch = context.allocateIntLocalArray(threads);
    scratch[thread] = values.get(i);
    context.localBarrier();
    int before = scratch[zero];
    context.localBarrier();
    if (thread == threads - 1) {
      scratch[zero] = values.get(i);
    }
    context.localBarrier();
    int after = scratch[zero];
    if (i < values.getSize()) {
      out.set(2 * i, before);
      out.set(2 * i + 1, after);
    }
  }

  public static void pitched(
      KernelContext context, IntArray values, IntArray out, int threads, int items) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int pitch = items + 1;
    int[] staged = context.allocateIntLocalArray(threads * pitch);
    for (int c = 0; c < items; c++) {
      int slot = c * threads + thread;
      staged[slot / items * pitch + slot % items] = values.get(block * threads * items + slot);
    }
    context.localBarrier();
    int sum = 0;
    for (int c = 0; c < items; c++) {
      sum = 3 * sum + staged[thread * pitch + c];
    }
    int i = context.globalIdx;
    if (i < out.getSize()) {
      out.set(i, sum);
    }
  }

  public static void bytes(KernelContext context, IntArray values, IntArray out, int threads) {
    int thread = context.localIdx;
    int i = context.globalIdx;
    byte[] scratch = context.allocateByteLocalArray(threads);
    scratch[thread] = (byte) values.get(i);
    context.localBarrier();
    if (i < values.getSize()) {
      int b = scratch[threads - 1 - thread];
      out.set(2 * i, b & 0xff);
      out.set(2 * i + 1, b + 1000);
    }
  }

  public static void large(
      KernelContext context, IntArray values, IntArray out, int threads, int length) {
    int thread = context.localIdx;
    int[] scratch = context.allocateIntLocalArray(length);
    for (int at = thread; at < length; at += threads) {
      scratch[at] = values.get(at);
    }
    context.localBarrier();
    for (int at = thread; at < length; at += threads) {
      out.set(at, scratch[length - 1 - at]);
    }
  }

  public static void sizedByBlock(KernelContext context, IntArray values, IntArray out) {
    int thread = context.localIdx;
    int threads = context.localGroupSizeX;
    int i = context.globalIdx;
    int[] scratch = context.allocateIntLocalArray(threads);
    scratch[thread] = values.get(i);
    context.localBarrier();
    if (i < out.getSize()) {
      out.set(i, scratch[threads - 1 - thread]);
    }
  }

  public static void returningBlocks(
      KernelContext context, IntArray shape, IntArray values, IntArray out, int threads) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int i = context.globalIdx;
    if (block >= shape.get(0)) {
      return;
    }
    int[] scratch = context.allocateIntLocalArray(threads);
    scratch[thread] = values.get(i);
    context.localBarrier();
    if (i < out.getSize()) {
      out.set(i, scratch[threads - 1 - thread]);
    }
  }
}
