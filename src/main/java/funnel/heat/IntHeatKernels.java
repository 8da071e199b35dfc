package funnel.heat;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import funnel.operator.ElementType;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Device form of a heat equation's steps over one element type: the methods that make one step a
 * launch, and what else a routine needs.
 */
@Twins({"Float", "Double"})
final class IntHeatKernels {

  private static final ElementType ELEMENT = ElementType.INT;

  /**
   * Nodes from element 0 of an array back to a multiple of 128 bytes, where blocks begin: so a
   * warp's row of nodes is one line of the cache and not parts of two, if nx is a multiple of 32.
   */
  static final int LEAD = 16 / ELEMENT.bytes();

  static final int COPY_THREADS = 256;

  /** Elements that a thread copies. */
  static final int COPIED = 8;

  static final int WARP = 32;

  private IntHeatKernels() {}

  static void copyField(
      KernelContext context,
      IntArray shape,
      @Element IntArray from,
      @Element IntArray to,
      int shapeAt) {
    int nodes = shape.get(shapeAt) * shape.get(shapeAt + 1);
    int start = context.groupIdx * (COPY_THREADS * COPIED) - LEAD;
    int at = start + context.localIdx;
    if (start >= 0 & nodes - start >= COPY_THREADS * COPIED) {
      @Element int v0 = from.get(at + 0 * COPY_THREADS);
      @Element int v1 = from.get(at + 1 * COPY_THREADS);
      @Element int v2 = from.get(at + 2 * COPY_THREADS);
      @Element int v3 = from.get(at + 3 * COPY_THREADS);
      @Element int v4 = from.get(at + 4 * COPY_THREADS);
      @Element int v5 = from.get(at + 5 * COPY_THREADS);
      @Element int v6 = from.get(at + 6 * COPY_THREADS);
      @Element int v7 = from.get(at + 7 * COPY_THREADS);
      to.set(at + 0 * COPY_THREADS, v0);
      to.set(at + 1 * COPY_THREADS, v1);
      to.set(at + 2 * COPY_THREADS, v2);
      to.set(at + 3 * COPY_THREADS, v3);
      to.set(at + 4 * COPY_THREADS, v4);
      to.set(at + 5 * COPY_THREADS, v5);
      to.set(at + 6 * COPY_THREADS, v6);
      to.set(at + 7 * COPY_THREADS, v7);
    } else {
      int end = Scalars.min(nodes, start + COPY_THREADS * COPIED);
      while (at < end) {
        if (at >= 0) {
          to.set(at, from.get(at));
        }
        at = at + COPY_THREADS;
      }
    }
  }

  static void deliver(
      KernelContext context,
      IntArray shape,
      @Element IntArray to,
      @Element IntArray result,
      int shapeAt,
      int resultAt) {
    int thread = context.globalIdx;
    int nodes = shape.get(shapeAt) * shape.get(shapeAt + 1);
    if (thread == 0) {
      @Element int runs = RunCounter.next(result.get(resultAt + 1));
      result.set(resultAt, to.get(nodes - 1));
      result.set(resultAt + 1, runs);
    }
  }
}
