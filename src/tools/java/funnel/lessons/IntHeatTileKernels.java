package funnel.lessons;

import static funnel.heat.IntHeatStencil.next;
import static funnel.heat.IntHeatStencil.outer;
import static funnel.heat.IntHeatStencil.warmed;

import funnel.heat.HeatStepper;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.operator.ElementType;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link HeatVariant}: a block has a tile of nodes, or a strip of tiles. */
@Twins({"Float", "Double"})
final class IntHeatTileKernels {

  private static final ElementType ELEMENT = ElementType.INT;

  /* Tiles are WIDTH x HEIGHT nodes, so that a warp has one row of a tile. They begin LEAD nodes
   * before the grid.
   *
   * A node with four neighbours is computed in the method's own way, all others by `outer`, which
   * handles the sides. In place of nodes outside the grid, tiles load those at its edge, so that no
   * load before the barrier needs a condition; these are never used.
   *
   * A device allows 65535 blocks along y. If a grid has more rows of tiles, blocks are arranged
   * side by side in layers: `across` blocks along x are one layer of `up` rows, the next ones the
   * layer above. Nearly always there is one layer; then `across` is 0, and the compiler drops the
   * division.
   *
   * STRIP: the tile marches along x. Columns are kept in a ring of four tiles, row by row. The last
   * column of the previous tile is still there, and the first one of the next tile was stored
   * before the barrier. The tile after the next, which a fast thread may store, overwrites no
   * column that a slow thread still reads. So one barrier per tile is enough. Meanwhile the tile
   * after the next is loaded.
   */

  static final int WIDTH = 32;
  static final int HEIGHT = 16;

  /** So that blocks begin at multiples of 128 bytes, as element 0 of an array does not. */
  private static final int LEAD = 16 / ELEMENT.bytes();

  /** Of a tile with its surrounding nodes. */
  private static final int PITCH = WIDTH + 2;

  private static final int ROWS = HEIGHT + 2;

  /** Columns in the ring of a strip. */
  private static final int RING = 4 * WIDTH;

  private IntHeatTileKernels() {}

  /** The column of a block's tile. */
  private static int column(int block, int across) {
    return across > 0 ? block % across : block;
  }

  /** The row of a block's tile. */
  private static int row(int block, int blockY, int across, int up) {
    return across > 0 ? blockY + block / across * up : blockY;
  }

  private static int clamp(int at, int count) {
    return Scalars.min(Scalars.max(at, 0), count - 1);
  }

  // Method 1.

  static void globalStep(
      KernelContext context,
      IntArray shape,
      @Element IntArray from,
      @Element IntArray to,
      @Element IntArray coefficients,
      @Element IntArray source,
      int shapeAt,
      int hasSource,
      int across,
      int up) {
    int tileX = column(context.groupIdx, across);
    int tileY = row(context.groupIdx, context.groupIdy, across, up);
    int i = tileX * WIDTH - LEAD + context.localIdx;
    int j = tileY * HEIGHT + context.localIdy;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + HeatStepper.NY_AT);
    int isOwn = i >= 0 & i < nx & j < ny ? 1 : 0;
    int at = j * nx + i;
    if (i > 0 & i < nx - 1 & j > 0 & j < ny - 1) {
      @Element int cx = coefficients.get(0);
      @Element int k = coefficients.get(1);
      @Element int minusM = coefficients.get(2);
      @Element int l = from.get(at - 1);
      @Element int r = from.get(at + 1);
      @Element int d = from.get(at - nx);
      @Element int t = from.get(at + nx);
      @Element int u = from.get(at);
      @Element int value = next(l, r, d, t, u, cx, k, minusM);
      to.set(at, warmed(value, source, at, hasSource));
    } else {
      if (isOwn == 1) {
        to.set(at, outer(shape, from, coefficients, source, shapeAt, i, j, nx, ny, hasSource));
      }
    }
  }

  static void globalStepOfCells(
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
      int across,
      int up) {
    int tileX = column(context.groupIdx, across);
    int tileY = row(context.groupIdx, context.groupIdy, across, up);
    int i = tileX * WIDTH - LEAD + context.localIdx;
    int j = tileY * HEIGHT + context.localIdy;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + HeatStepper.NY_AT);
    if (i >= 0 & i < nx & j < ny) {
      @Element
      int value =
          outer(
              shape,
              from,
              coefficients,
              facesX,
              facesY,
              source,
              shapeAt,
              i,
              j,
              nx,
              ny,
              hasSource,
              1);
      to.set(j * nx + i, value);
    }
  }

  // Method 2.

  static void haloThreadsStep(
      KernelContext context,
      IntArray shape,
      @Element IntArray from,
      @Element IntArray to,
      @Element IntArray coefficients,
      @Element IntArray source,
      int shapeAt,
      int hasSource,
      int across,
      int up) {
    int tileX = column(context.groupIdx, across);
    int tileY = row(context.groupIdx, context.groupIdy, across, up);
    int x = context.localIdx;
    int y = context.localIdy;
    int i = tileX * WIDTH - LEAD + x - 1;
    int j = tileY * HEIGHT + y - 1;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + HeatStepper.NY_AT);
    @Element int cx = coefficients.get(0);
    @Element int k = coefficients.get(1);
    @Element int minusM = coefficients.get(2);
    @Element int[] tile = context.allocateIntLocalArray(PITCH * ROWS);
    int here = y * PITCH + x;
    @Element int u = from.get(clamp(j, ny) * nx + clamp(i, nx));
    tile[here] = u;
    context.localBarrier();
    int isThreads = x > 0 & x <= WIDTH & y > 0 & y <= HEIGHT ? 1 : 0;
    int isOwn = isThreads == 1 & i >= 0 & i < nx & j < ny ? 1 : 0;
    int at = j * nx + i;
    if (isThreads == 1 & i > 0 & i < nx - 1 & j > 0 & j < ny - 1) {
      @Element int l = tile[here - 1];
      @Element int r = tile[here + 1];
      @Element int d = tile[here - PITCH];
      @Element int t = tile[here + PITCH];
      @Element int value = next(l, r, d, t, u, cx, k, minusM);
      to.set(at, warmed(value, source, at, hasSource));
    } else {
      if (isOwn == 1) {
        to.set(at, outer(shape, from, coefficients, source, shapeAt, i, j, nx, ny, hasSource));
      }
    }
  }

  // Method 3.

  static void tileStep(
      KernelContext context,
      IntArray shape,
      @Element IntArray from,
      @Element IntArray to,
      @Element IntArray coefficients,
      @Element IntArray source,
      int shapeAt,
      int hasSource,
      int across,
      int up) {
    int tileX = column(context.groupIdx, across);
    int tileY = row(context.groupIdx, context.groupIdy, across, up);
    int x = context.localIdx;
    int y = context.localIdy;
    int startX = tileX * WIDTH - LEAD;
    int startY = tileY * HEIGHT;
    int i = startX + x;
    int j = startY + y;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + HeatStepper.NY_AT);
    @Element int cx = coefficients.get(0);
    @Element int k = coefficients.get(1);
    @Element int minusM = coefficients.get(2);
    @Element int[] tile = context.allocateIntLocalArray(PITCH * ROWS);
    int here = (y + 1) * PITCH + x + 1;
    @Element int u = from.get(clamp(j, ny) * nx + clamp(i, nx));
    if (y < 3) {
      int besideX = x < HEIGHT ? -1 : WIDTH;
      int haloX = y < 2 ? x : besideX;
      int belowOrAbove = y == 0 ? -1 : HEIGHT;
      int haloY = y < 2 ? belowOrAbove : x & (HEIGHT - 1);
      int row = clamp(startY + haloY, ny);
      tile[(haloY + 1) * PITCH + haloX + 1] = from.get(row * nx + clamp(startX + haloX, nx));
    }
    tile[here] = u;
    context.localBarrier();
    int isOwn = i >= 0 & i < nx & j < ny ? 1 : 0;
    int at = j * nx + i;
    if (i > 0 & i < nx - 1 & j > 0 & j < ny - 1) {
      @Element int l = tile[here - 1];
      @Element int r = tile[here + 1];
      @Element int d = tile[here - PITCH];
      @Element int t = tile[here + PITCH];
      @Element int value = next(l, r, d, t, u, cx, k, minusM);
      to.set(at, warmed(value, source, at, hasSource));
    } else {
      if (isOwn == 1) {
        to.set(at, outer(shape, from, coefficients, source, shapeAt, i, j, nx, ny, hasSource));
      }
    }
  }

  // Method 4.

  static void stripStep(
      KernelContext context,
      IntArray shape,
      @Element IntArray from,
      @Element IntArray to,
      @Element IntArray coefficients,
      @Element IntArray source,
      int shapeAt,
      int hasSource,
      int up) {
    int x = context.localIdx;
    int y = context.localIdy;
    int startY = (context.groupIdx * up + context.groupIdy) * HEIGHT;
    int j = startY + y;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + HeatStepper.NY_AT);
    @Element int cx = coefficients.get(0);
    @Element int k = coefficients.get(1);
    @Element int minusM = coefficients.get(2);
    @Element int[] ring = context.allocateIntLocalArray(RING * ROWS);
    int row = (y + 1) * RING;
    int haloY = y == 0 ? -1 : HEIGHT;
    int haloRow = (haloY + 1) * RING;
    int startOfRow = clamp(j, ny) * nx;
    int startOfHalo = clamp(startY + haloY, ny) * nx;
    int isInnerRow = j > 0 & j < ny - 1 ? 1 : 0;
    ring[row + x] = from.get(startOfRow + clamp(x - LEAD, nx));
    @Element int ahead = from.get(startOfRow + clamp(x - LEAD + WIDTH, nx));
    @Element int haloAhead = ahead;
    if (y < 2) {
      ring[haloRow + x] = from.get(startOfHalo + clamp(x - LEAD, nx));
      haloAhead = from.get(startOfHalo + clamp(x - LEAD + WIDTH, nx));
    }
    for (int startX = 0; startX < nx + LEAD; startX += WIDTH) {
      int i = startX + x - LEAD;
      int here = (startX + x) & (RING - 1);
      int slot = (startX + x + WIDTH) & (RING - 1);
      ring[row + slot] = ahead;
      if (y < 2) {
        ring[haloRow + slot] = haloAhead;
      }
      context.localBarrier();
      int column = Scalars.min(i + 2 * WIDTH, nx - 1);
      ahead = from.get(startOfRow + column);
      if (y < 2) {
        haloAhead = from.get(startOfHalo + column);
      }
      int isOwn = i >= 0 & i < nx & j < ny ? 1 : 0;
      int at = j * nx + i;
      if (isInnerRow == 1 & i > 0 & i < nx - 1) {
        @Element int u = ring[row + here];
        @Element int l = ring[row + ((here - 1) & (RING - 1))];
        @Element int r = ring[row + ((here + 1) & (RING - 1))];
        @Element int d = ring[row - RING + here];
        @Element int t = ring[row + RING + here];
        @Element int value = next(l, r, d, t, u, cx, k, minusM);
        to.set(at, warmed(value, source, at, hasSource));
      } else {
        if (isOwn == 1) {
          to.set(at, outer(shape, from, coefficients, source, shapeAt, i, j, nx, ny, hasSource));
        }
      }
    }
  }
}
