package funnel.heat;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * The step of a node over one element type: equation and sides. For kernels of a {@link
 * HeatStepper}, whose parameters have the names of these.
 *
 * {@snippet class="funnel.docs.HeatStepperSnippets" region="kernel"}
 */
@Twins({"Float", "Double"})
public final class IntHeatStencil {

  private IntHeatStencil() {}

  /** A node's value after the step, from its neighbours' before: left, right, below, above. */
  public static @Element int next(
      @Element int l,
      @Element int r,
      @Element int d,
      @Element int t,
      @Element int u,
      @Element int cx,
      @Element int k,
      @Element int minusM) {
    @Element int h = l + r;
    @Element int v = d + t;
    @Element int z = Scalars.fma(k, v, h);
    z = Scalars.fma(minusM, u, z);
    return Scalars.fma(cx, z, u);
  }

  /** A node's value after the step, with a coefficient for each face. */
  static @Element int nextOfCells(
      @Element int l,
      @Element int r,
      @Element int d,
      @Element int t,
      @Element int u,
      @Element int faceL,
      @Element int faceR,
      @Element int faceD,
      @Element int faceT) {
    @Element int outX = faceL * (u - l);
    @Element int outY = faceD * (u - d);
    @Element int a = Scalars.fma(faceR, r - u, -outX);
    @Element int b = Scalars.fma(faceT, t - u, -outY);
    return u + (a + b);
  }

  /** The distance to the neighbour before, or to the node that replaces it. */
  static int back(int at, int count, int kind) {
    int ghost = kind == HeatGrid.PERIODIC ? count - 1 : 0;
    return at > 0 ? -1 : ghost;
  }

  /** The distance to the neighbour after, or to the node that replaces it. */
  static int ahead(int at, int count, int kind) {
    int ghost = kind == HeatGrid.PERIODIC ? 1 - count : 0;
    return at < count - 1 ? 1 : ghost;
  }

  /** A node's value after the step plus the source's addend, if there is one. */
  public static @Element int warmed(
      @Element int value, @Element IntArray source, int at, int hasSource) {
    @Element int sum = value;
    if (hasSource == 1) {
      sum = sum + source.get(at);
    }
    return sum;
  }

  /**
   * Any node's value after the step; the kinds of the sides are read from the shape array.
   *
   * @param hasFaces 1, or 0 without a coefficient for each face
   */
  public static @Element int outer(
      IntArray shape,
      @Element IntArray from,
      @Element IntArray coefficients,
      @Element IntArray facesX,
      @Element IntArray facesY,
      @Element IntArray source,
      int shapeAt,
      int i,
      int j,
      int nx,
      int ny,
      int hasSource,
      int hasFaces) {
    int left = shape.get(shapeAt + HeatLaunches.LEFT_AT);
    int right = shape.get(shapeAt + HeatLaunches.RIGHT_AT);
    int bottom = shape.get(shapeAt + HeatLaunches.BOTTOM_AT);
    int top = shape.get(shapeAt + HeatLaunches.TOP_AT);
    return outer(
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
        hasFaces);
  }

  /** Any node's value after the step, without coefficients for faces. */
  public static @Element int outer(
      IntArray shape,
      @Element IntArray from,
      @Element IntArray coefficients,
      @Element IntArray source,
      int shapeAt,
      int i,
      int j,
      int nx,
      int ny,
      int hasSource) {
    return outer(
        shape, from, coefficients, source, source, source, shapeAt, i, j, nx, ny, hasSource, 0);
  }

  /**
   * Any node's value after the step, for a thread that marches along a side and has already read
   * the kinds. Ghosts are computed from the node itself, for which {@link #back} and {@link #ahead}
   * are 0 there.
   *
   * @param hasFaces 0 or 1, a constant, so that one branch is compiled
   */
  static @Element int outer(
      @Element IntArray from,
      @Element IntArray coefficients,
      @Element IntArray facesX,
      @Element IntArray facesY,
      @Element IntArray source,
      int left,
      int right,
      int bottom,
      int top,
      int i,
      int j,
      int nx,
      int ny,
      int hasSource,
      int hasFaces) {
    int at = j * nx + i;
    @Element int cx = (@Element int) 0;
    @Element int k = (@Element int) 0;
    @Element int minusM = (@Element int) 0;
    if (hasFaces == 0) {
      cx = coefficients.get(0);
      k = coefficients.get(1);
      minusM = coefficients.get(2);
    }
    @Element int u = from.get(at);
    @Element int l = from.get(at + back(i, nx, left));
    @Element int r = from.get(at + ahead(i, nx, right));
    @Element int d = from.get(at + back(j, ny, bottom) * nx);
    @Element int t = from.get(at + ahead(j, ny, top) * nx);
    int values = HeatArrays.COUNT;
    @Element int lMore = coefficients.get(left == HeatGrid.PROFILE ? values + j : 3);
    @Element int rMore = coefficients.get(right == HeatGrid.PROFILE ? values + ny + j : 4);
    @Element int dMore = coefficients.get(bottom == HeatGrid.PROFILE ? values + 2 * ny + i : 5);
    @Element int tMore = coefficients.get(top == HeatGrid.PROFILE ? values + 2 * ny + nx + i : 6);
    @Element int lGhost = Scalars.fma(coefficients.get(7), l, lMore);
    @Element int rGhost = Scalars.fma(coefficients.get(8), r, rMore);
    @Element int dGhost = Scalars.fma(coefficients.get(9), d, dMore);
    @Element int tGhost = Scalars.fma(coefficients.get(10), t, tMore);
    l = i == 0 & (left & 1) == 1 ? lGhost : l; // GHOST and PROFILE are odd
    r = i == nx - 1 & (right & 1) == 1 ? rGhost : r;
    d = j == 0 & (bottom & 1) == 1 ? dGhost : d;
    t = j == ny - 1 & (top & 1) == 1 ? tGhost : t;
    @Element int value = u;
    if (hasFaces == 0) {
      value = next(l, r, d, t, u, cx, k, minusM);
    } else {
      @Element int faceL = facesX.get(at + j);
      @Element int faceR = facesX.get(at + j + 1);
      @Element int faceD = facesY.get(at);
      @Element int faceT = facesY.get(at + nx);
      value = nextOfCells(l, r, d, t, u, faceL, faceR, faceD, faceT);
    }
    value = warmed(value, source, at, hasSource);
    int fixedX =
        (i == 0 & left == HeatGrid.DIRICHLET) | (i == nx - 1 & right == HeatGrid.DIRICHLET) ? 1 : 0;
    int fixedY =
        (j == 0 & bottom == HeatGrid.DIRICHLET) | (j == ny - 1 & top == HeatGrid.DIRICHLET) ? 1 : 0;
    return (fixedX | fixedY) == 1 ? u : value;
  }
}
