package funnel.heat;

import static funnel.heat.IntHeatStencil.next;
import static funnel.heat.IntHeatStencil.nextOfCells;
import static funnel.heat.IntHeatStencil.outer;
import static funnel.heat.IntHeatStencil.warmed;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Method 5 over one element type: a thread marches along y in a column of nodes. */
@Twins({"Float", "Double"})
final class IntHeatMarchKernels {

  /* A thread has one column and a chunk of rows. It loads GROUP rows of its column and the
   * neighbouring ones, or the whole chunk, before it stores the first: the compiler moves no load
   * across a store that might be to the same address. So all these loads of a thread are in flight
   * at once. The neighbouring columns come from the first-level cache. Chunks are short: with long
   * ones, active blocks are far apart in memory, which is slower by half. Chunks with outer nodes
   * are computed node by node.
   *
   * With cells, the remaining rows are computed one by one in a second loop, which keeps nothing
   * from row to row: TornadoVM compiles `d = u; u = t` at a loop's end to two moves in the wrong
   * order.
   *
   * Registers are scalars: private arrays that are filled in a nested loop go to local memory on
   * the ptx backend.
   */

  private static final int LEAD = IntHeatKernels.LEAD;

  /** Rows whose loads are in flight at once. */
  static final int GROUP = 4;

  static final int WIDTH = 128;
  static final int HEIGHT = 2;

  /** Rows per thread, unless that needs too many blocks. */
  static final int CHUNK = 2 * GROUP;

  private IntHeatMarchKernels() {}

  static void march(
      KernelContext context,
      IntArray shape,
      @Element IntArray from,
      @Element IntArray to,
      @Element IntArray coefficients,
      @Element IntArray source,
      int shapeAt,
      int hasSource,
      int chunk) {
    int i = context.globalIdx - LEAD;
    int j = context.globalIdy * chunk;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + HeatLaunches.NY_AT);
    @Element int cx = coefficients.get(0);
    @Element int k = coefficients.get(1);
    @Element int minusM = coefficients.get(2);
    if (i > 0 & i < nx - 1 & j > 0 & j + chunk < ny) {
      int at = j * nx + i;
      @Element int u = from.get(at);
      @Element int d = from.get(at - nx);
      int next = j + chunk;
      while (j < next) {
        int at1 = at + nx;
        int at2 = at + 2 * nx;
        int at3 = at + 3 * nx;
        int at4 = at + 4 * nx;
        @Element int n0 = from.get(at1);
        @Element int n1 = from.get(at2);
        @Element int n2 = from.get(at3);
        @Element int n3 = from.get(at4);
        @Element int l0 = from.get(at - 1);
        @Element int r0 = from.get(at + 1);
        @Element int l1 = from.get(at1 - 1);
        @Element int r1 = from.get(at1 + 1);
        @Element int l2 = from.get(at2 - 1);
        @Element int r2 = from.get(at2 + 1);
        @Element int l3 = from.get(at3 - 1);
        @Element int r3 = from.get(at3 + 1);
        @Element int v0 = next(l0, r0, d, n0, u, cx, k, minusM);
        @Element int v1 = next(l1, r1, u, n1, n0, cx, k, minusM);
        @Element int v2 = next(l2, r2, n0, n2, n1, cx, k, minusM);
        @Element int v3 = next(l3, r3, n1, n3, n2, cx, k, minusM);
        v0 = warmed(v0, source, at, hasSource);
        v1 = warmed(v1, source, at1, hasSource);
        v2 = warmed(v2, source, at2, hasSource);
        v3 = warmed(v3, source, at3, hasSource);
        to.set(at, v0);
        to.set(at1, v1);
        to.set(at2, v2);
        to.set(at3, v3);
        d = n2;
        u = n3;
        at = at4;
        j = j + GROUP;
      }
    } else {
      int end = i >= 0 & i < nx ? Scalars.min(j + chunk, ny) : j;
      int left = shape.get(shapeAt + HeatLaunches.LEFT_AT);
      int right = shape.get(shapeAt + HeatLaunches.RIGHT_AT);
      int bottom = shape.get(shapeAt + HeatLaunches.BOTTOM_AT);
      int top = shape.get(shapeAt + HeatLaunches.TOP_AT);
      while (j < end) {
        to.set(
            j * nx + i,
            outer(
                from,
                coefficients,
                source,
                source,
                source,
                left,
                right,
                bottom,
                top,
                i,
                j,
                nx,
                ny,
                hasSource,
                0));
        j = j + 1;
      }
    }
  }

  static void marchAtOnce(
      KernelContext context,
      IntArray shape,
      @Element IntArray from,
      @Element IntArray to,
      @Element IntArray coefficients,
      @Element IntArray source,
      int shapeAt,
      int hasSource,
      int chunk) {
    int i = context.globalIdx - LEAD;
    int j = context.globalIdy * chunk;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + HeatLaunches.NY_AT);
    @Element int cx = coefficients.get(0);
    @Element int k = coefficients.get(1);
    @Element int minusM = coefficients.get(2);
    if (i > 0 & i < nx - 1 & j > 0 & j + chunk < ny) {
      int at = j * nx + i;
      @Element int u = from.get(at);
      @Element int d = from.get(at - nx);
      int at1 = at + nx;
      int at2 = at + 2 * nx;
      int at3 = at + 3 * nx;
      int at4 = at + 4 * nx;
      int at5 = at + 5 * nx;
      int at6 = at + 6 * nx;
      int at7 = at + 7 * nx;
      int at8 = at + 8 * nx;
      @Element int n0 = from.get(at1);
      @Element int n1 = from.get(at2);
      @Element int n2 = from.get(at3);
      @Element int n3 = from.get(at4);
      @Element int n4 = from.get(at5);
      @Element int n5 = from.get(at6);
      @Element int n6 = from.get(at7);
      @Element int n7 = from.get(at8);
      @Element int l0 = from.get(at - 1);
      @Element int r0 = from.get(at + 1);
      @Element int l1 = from.get(at1 - 1);
      @Element int r1 = from.get(at1 + 1);
      @Element int l2 = from.get(at2 - 1);
      @Element int r2 = from.get(at2 + 1);
      @Element int l3 = from.get(at3 - 1);
      @Element int r3 = from.get(at3 + 1);
      @Element int l4 = from.get(at4 - 1);
      @Element int r4 = from.get(at4 + 1);
      @Element int l5 = from.get(at5 - 1);
      @Element int r5 = from.get(at5 + 1);
      @Element int l6 = from.get(at6 - 1);
      @Element int r6 = from.get(at6 + 1);
      @Element int l7 = from.get(at7 - 1);
      @Element int r7 = from.get(at7 + 1);
      @Element int v0 = next(l0, r0, d, n0, u, cx, k, minusM);
      @Element int v1 = next(l1, r1, u, n1, n0, cx, k, minusM);
      @Element int v2 = next(l2, r2, n0, n2, n1, cx, k, minusM);
      @Element int v3 = next(l3, r3, n1, n3, n2, cx, k, minusM);
      @Element int v4 = next(l4, r4, n2, n4, n3, cx, k, minusM);
      @Element int v5 = next(l5, r5, n3, n5, n4, cx, k, minusM);
      @Element int v6 = next(l6, r6, n4, n6, n5, cx, k, minusM);
      @Element int v7 = next(l7, r7, n5, n7, n6, cx, k, minusM);
      v0 = warmed(v0, source, at, hasSource);
      v1 = warmed(v1, source, at1, hasSource);
      v2 = warmed(v2, source, at2, hasSource);
      v3 = warmed(v3, source, at3, hasSource);
      v4 = warmed(v4, source, at4, hasSource);
      v5 = warmed(v5, source, at5, hasSource);
      v6 = warmed(v6, source, at6, hasSource);
      v7 = warmed(v7, source, at7, hasSource);
      to.set(at, v0);
      to.set(at1, v1);
      to.set(at2, v2);
      to.set(at3, v3);
      to.set(at4, v4);
      to.set(at5, v5);
      to.set(at6, v6);
      to.set(at7, v7);
    } else {
      int end = i >= 0 & i < nx ? Scalars.min(j + chunk, ny) : j;
      int left = shape.get(shapeAt + HeatLaunches.LEFT_AT);
      int right = shape.get(shapeAt + HeatLaunches.RIGHT_AT);
      int bottom = shape.get(shapeAt + HeatLaunches.BOTTOM_AT);
      int top = shape.get(shapeAt + HeatLaunches.TOP_AT);
      while (j < end) {
        to.set(
            j * nx + i,
            outer(
                from,
                coefficients,
                source,
                source,
                source,
                left,
                right,
                bottom,
                top,
                i,
                j,
                nx,
                ny,
                hasSource,
                0));
        j = j + 1;
      }
    }
  }

  static void marchOfCells(
      KernelContext context,
      IntArray shape,
      @Element IntArray from,
      @Element IntArray to,
      @Element IntArray coefficients,
      @Element IntArray source,
      @Element IntArray facesX,
      @Element IntArray facesY,
      int shapeAt,
      int hasSource,
      int chunk) {
    int i = context.globalIdx - LEAD;
    int j = context.globalIdy * chunk;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + HeatLaunches.NY_AT);
    if (i >= 0 & i < nx & j < ny) {
      int at = j * nx + i;
      int faceAt = at + j;
      int end = Scalars.min(j + chunk, ny);
      int isInner = i > 0 & i < nx - 1 & j > 0 ? 1 : 0;
      int endOfGroups = j + Scalars.min(end - j, ny - 1 - j) / GROUP * GROUP * isInner;
      @Element int u = from.get(at);
      @Element int d = from.get(at - nx * isInner);
      @Element int faceD = facesY.get(at);
      while (j < endOfGroups) {
        int at1 = at + nx;
        int at2 = at + 2 * nx;
        int at3 = at + 3 * nx;
        int at4 = at + 4 * nx;
        @Element int n0 = from.get(at1);
        @Element int n1 = from.get(at2);
        @Element int n2 = from.get(at3);
        @Element int n3 = from.get(at4);
        int faceAt1 = faceAt + nx + 1;
        int faceAt2 = faceAt + 2 * (nx + 1);
        int faceAt3 = faceAt + 3 * (nx + 1);
        @Element int faceT0 = facesY.get(at1);
        @Element int faceT1 = facesY.get(at2);
        @Element int faceT2 = facesY.get(at3);
        @Element int faceT3 = facesY.get(at4);
        @Element int faceL0 = facesX.get(faceAt);
        @Element int faceR0 = facesX.get(faceAt + 1);
        @Element int faceL1 = facesX.get(faceAt1);
        @Element int faceR1 = facesX.get(faceAt1 + 1);
        @Element int faceL2 = facesX.get(faceAt2);
        @Element int faceR2 = facesX.get(faceAt2 + 1);
        @Element int faceL3 = facesX.get(faceAt3);
        @Element int faceR3 = facesX.get(faceAt3 + 1);
        @Element int l0 = from.get(at - 1);
        @Element int r0 = from.get(at + 1);
        @Element int l1 = from.get(at1 - 1);
        @Element int r1 = from.get(at1 + 1);
        @Element int l2 = from.get(at2 - 1);
        @Element int r2 = from.get(at2 + 1);
        @Element int l3 = from.get(at3 - 1);
        @Element int r3 = from.get(at3 + 1);
        @Element int v0 = nextOfCells(l0, r0, d, n0, u, faceL0, faceR0, faceD, faceT0);
        @Element int v1 = nextOfCells(l1, r1, u, n1, n0, faceL1, faceR1, faceT0, faceT1);
        @Element int v2 = nextOfCells(l2, r2, n0, n2, n1, faceL2, faceR2, faceT1, faceT2);
        @Element int v3 = nextOfCells(l3, r3, n1, n3, n2, faceL3, faceR3, faceT2, faceT3);
        v0 = warmed(v0, source, at, hasSource);
        v1 = warmed(v1, source, at1, hasSource);
        v2 = warmed(v2, source, at2, hasSource);
        v3 = warmed(v3, source, at3, hasSource);
        to.set(at, v0);
        to.set(at1, v1);
        to.set(at2, v2);
        to.set(at3, v3);
        d = n2;
        u = n3;
        faceD = faceT3;
        faceAt = faceAt + GROUP * (nx + 1);
        at = at4;
        j = j + GROUP;
      }
      int left = shape.get(shapeAt + HeatLaunches.LEFT_AT);
      int right = shape.get(shapeAt + HeatLaunches.RIGHT_AT);
      int bottom = shape.get(shapeAt + HeatLaunches.BOTTOM_AT);
      int top = shape.get(shapeAt + HeatLaunches.TOP_AT);
      while (j < end) {
        to.set(
            j * nx + i,
            outer(
                from,
                coefficients,
                facesX,
                facesY,
                source,
                left,
                right,
                bottom,
                top,
                i,
                j,
                nx,
                ny,
                hasSource,
                1));
        j = j + 1;
      }
    }
  }
}
