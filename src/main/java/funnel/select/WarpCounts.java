package funnel.select;

import uk.ac.manchester.tornado.api.KernelContext;

/** Sums of counts over the threads of warps, in kernels whose blocks are of whole warps. */
final class WarpCounts {

  /* Shuffles take floats, which are exact up to 2^24; counts of a tile are far below that. They
   * only go down, so a warp's scan is of its later lanes, and what is before a thread is the sum
   * without it. So a block adds up with one barrier, where a tree of all threads has nine.
   */

  private static final int LANES = 32;
  private static final int STEPS = 5;

  private WarpCounts() {}

  /** The sum over the thread's warp. */
  static int sum(KernelContext context, int count) {
    return (int) context.simdSum((float) count);
  }

  /** The sum over the earlier threads of the thread's warp. */
  static int before(KernelContext context, int thread, int count) {
    float since = since(context, thread, count);
    return (int) context.simdBroadcastFirst(since) - (int) since;
  }

  /** The sum over the thread and the later ones of its warp. */
  static float since(KernelContext context, int thread, int count) {
    float since = (float) count;
    for (int step = 0; step < STEPS; step++) {
      float next = context.simdShuffleDown(since, 1 << step);
      since += thread % LANES + (1 << step) < LANES ? next : 0f;
    }
    return since;
  }

  /**
   * Local memory with the sum over each warp of the block, to be read at no constant index.
   *
   * @param ofWarp the sum, in the warp's last thread
   */
  static int[] ofWarps(KernelContext context, int thread, int threads, int ofWarp) {
    int[] ofWarps = context.allocateIntLocalArray(threads / LANES);
    if (thread % LANES == LANES - 1) {
      ofWarps[thread / LANES] = ofWarp;
    }
    context.localBarrier();
    return ofWarps;
  }
}
