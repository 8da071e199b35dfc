package funnel.suite;

import java.util.concurrent.atomic.AtomicInteger;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels of {@link AtomicRules}. */
final class AtomicKernels {

  private AtomicKernels() {}

  public static void addIntsToOne(KernelContext context, IntArray values, IntArray sum, int times) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      for (int time = 0; time < times; time++) {
        context.atomicAdd(sum, 0, values.get(i));
      }
    }
  }

  public static void addLongsToOne(
      KernelContext context, LongArray values, LongArray sum, int times) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      for (int time = 0; time < times; time++) {
        context.atomicAdd(sum, 0, values.get(i));
      }
    }
  }

  public static void addFloatsToOne(
      KernelContext context, FloatArray values, FloatArray sum, int times) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      for (int time = 0; time < times; time++) {
        context.atomicAdd(sum, 0, values.get(i));
      }
    }
  }

  public static void addDoublesToOne(
      KernelContext context, DoubleArray values, DoubleArray sum, int times) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      for (int time = 0; time < times; time++) {
        context.atomicAdd(sum, 0, values.get(i));
      }
    }
  }

  public static void addLocally(
      KernelContext context, IntArray values, IntArray out, int threads, int times) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int[] counts = context.allocateIntLocalArray(threads);
    counts[thread] = 0;
    context.localBarrier();
    for (int time = 0; time < times; time++) {
      int item = (block * times + time) * threads + thread;
      context.atomicAdd(counts, values.get(item), 1);
    }
    context.localBarrier();
    if (thread < threads) {
      out.set(block * threads + thread, counts[thread]);
    }
  }

  public static void incremented(KernelContext context, AtomicInteger next, IntArray out) {
    int i = context.globalIdx;
    if (i < out.getSize()) {
      out.set(i, next.incrementAndGet() - 1);
    }
  }

  public static void countedDown(KernelContext context, AtomicInteger next, IntArray out) {
    int i = context.globalIdx;
    if (i < out.getSize()) {
      out.set(i, -next.getAndDecrement());
    }
  }

  public static void drawnByTwos(KernelContext context, AtomicInteger next, IntArray out) {
    int i = context.globalIdx;
    if (i < out.getSize()) {
      out.set(i, (next.getAndAdd(2) & 0x7fffffff) / 2);
    }
  }
}
