package funnel.emulator;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels of {@link InterleavingTest}. */
final class InterleavedKernels {

  private InterleavedKernels() {}

  public static void increment(KernelContext context, IntArray counts) {
    int old = counts.get(0);
    counts.set(0, old + 1);
  }

  public static void add(KernelContext context, IntArray counts) {
    context.atomicAdd(counts, 0, 1);
  }

  public static void incrementOwn(KernelContext context, IntArray counts) {
    int thread = context.localIdx;
    counts.set(thread, counts.get(thread) + 1);
  }

  public static void oneAfterTheOther(KernelContext context, IntArray counts) {
    int thread = context.localIdx;
    for (int turn = 0; turn < context.localGroupSizeX; turn++) {
      if (thread == turn) {
        counts.set(0, counts.get(0) + 1);
      }
      context.localBarrier();
    }
  }

  public static void copy(KernelContext context, IntArray in, DoubleArray out) {
    double value = in.get(2);
    out.set(3, value);
  }

  public static void nothing(KernelContext context, IntArray counts) {}

  public static void outside(KernelContext context, IntArray counts) {
    counts.set(context.localIdx * 8, 1);
  }
}
