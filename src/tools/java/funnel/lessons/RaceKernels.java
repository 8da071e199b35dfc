package funnel.lessons;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels of {@link Race}: every thread adds one to the same element. */
final class RaceKernels {

  private RaceKernels() {}

  public static void plain(KernelContext context, IntArray counts) {
    int old = counts.get(0);
    int next = old + 1;
    counts.set(0, next);
  }

  public static void atomic(KernelContext context, IntArray counts) {
    context.atomicAdd(counts, 0, 1);
  }
}
