package funnel.heat;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import funnel.operator.ElementType;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Device form of a heat equation's steps over one element type: the methods with one step per
 * launch, and other kernels of a routine.
 */
@Twins({"Float", "Double"})
final class IntHeatKernels {

  private static final ElementType ELEMENT = ElementType.INT;

  /**
   * The distance from element 0 of an array back to a multiple of 128 bytes, where blocks begin. So
   * a warp's row of nodes is one cache line instead of parts of two, if nx is a multiple of 32.
   */
  static final int LEAD = 16 / ELEMENT.bytes();

  static final int COPY_THREADS = 256;

  /** Elements copied per thread. */
  static final int COPIED = 8;

  static final int WARP = 32;

  private IntHeatKernels() {}

  static void copyField(
      KernelContext context,
      IntArray shape,
      @Element IntArray from,
      @Element IntArray to,
      int shapeAt) {
    int nodes = shape.get(shapeAt) * shape.get(shapeAt + HeatLaunches.NY_AT);
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

  /**
   * Sets the nodes of Dirichlet sides that have values: a thread for each of the coefficients with
   * values by nodes. At corners the last side in the coefficients' order takes precedence.
   */
  static void setSides(
      KernelContext context,
      IntArray shape,
      @Element IntArray to,
      @Element IntArray coefficients,
      int shapeAt) {
    int thread = context.globalIdx;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + HeatLaunches.NY_AT);
    if (thread < 2 * (nx + ny)) {
      int isColumn = thread < 2 * ny ? 1 : 0;
      int place = thread - (1 - isColumn) * 2 * ny;
      int length = isColumn == 1 ? ny : nx;
      int far = place >= length ? 1 : 0;
      int along = place - far * length;
      int i = isColumn == 1 ? far * (nx - 1) : along;
      int j = isColumn == 1 ? along : far * (ny - 1);
      int setter =
          sets(shape.get(shapeAt + HeatLaunches.LEFT_AT), coefficients.get(7), i) == 1 ? 0 : -1;
      setter =
          sets(shape.get(shapeAt + HeatLaunches.RIGHT_AT), coefficients.get(8), nx - 1 - i) == 1
              ? 1
              : setter;
      setter =
          sets(shape.get(shapeAt + HeatLaunches.BOTTOM_AT), coefficients.get(9), j) == 1
              ? 2
              : setter;
      setter =
          sets(shape.get(shapeAt + HeatLaunches.TOP_AT), coefficients.get(10), ny - 1 - j) == 1
              ? 3
              : setter;
      if (setter == (1 - isColumn) * 2 + far) {
        to.set(j * nx + i, coefficients.get(HeatArrays.COUNT + thread));
      }
    }
  }

  /** Whether a side at a distance sets its nodes. */
  private static int sets(int kind, @Element int factor, int distance) {
    int isItsNode = kind == HeatGrid.DIRICHLET & distance == 0 ? 1 : 0;
    int hasValues = factor > (@Element int) 0 ? 1 : 0;
    return isItsNode & hasValues;
  }

  static void deliver(
      KernelContext context,
      IntArray shape,
      @Element IntArray to,
      @Element IntArray result,
      int shapeAt,
      int resultAt) {
    int thread = context.globalIdx;
    int nodes = shape.get(shapeAt) * shape.get(shapeAt + HeatLaunches.NY_AT);
    if (thread == 0) {
      @Element int runs = RunCounter.next(result.get(resultAt + 1));
      result.set(resultAt, to.get(nodes - 1));
      result.set(resultAt + 1, runs);
    }
  }
}
