package funnel.heat;

import funnel.engine.RunCounter;
import funnel.jit.Element;
import funnel.jit.KernelTask;
import funnel.jit.KernelTask.Grid;
import funnel.jit.Scalars;
import funnel.jit.Twins;
import funnel.operator.ElementType;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Device form of a heat equation's steps over one element type: the methods that make one step a
 * launch.
 */
@Twins({"Float", "Double"})
final class IntHeatKernels implements HeatTasks {

  /* Tiles are WIDTH x HEIGHT nodes, so that a warp has one row of a tile. They begin LEAD nodes
   * before the grid: element 0 of an array lies 16 bytes behind a multiple of 128, and so a warp's
   * row is one line of the cache and not parts of two, if nx is a multiple of 32.
   *
   * A node with four neighbours is computed in the method's own way, all others by `outer`, which
   * looks at the sides. Tiles load what lies outside of the grid from its edge, so that no load
   * needs a condition before the barrier; nobody reads it.
   *
   * The device allows MOST_UP blocks along y. Where a grid of nodes has more rows of tiles, blocks
   * lie side by side in layers: `across` blocks along x are one layer of `up` rows, the next ones
   * the layer above. Nearly always there is one layer, `across` is 0 then, and the compiler drops
   * the division.
   *
   * STRIP: the tile marches along x. Columns are kept in a ring of four tiles, row by row: of the
   * tile before this one the last column is still there, of the next one, stored before the
   * barrier, the first one is already, and the one after that, which a fast thread stores, takes
   * the place of none that a slow thread reads. So one barrier a tile is enough. The tile after
   * the next is on its way from memory meanwhile.
   *
   * REGISTER_MARCH: a thread has one column and a chunk of rows. It loads GROUP rows of its column
   * and of the ones beside it before it stores the first, since no load passes a store of which
   * the compiler cannot tell that it goes elsewhere: so GROUP loads of a thread are on their way
   * to memory together, or those of the whole chunk. The columns beside come from the first-level
   * cache. Chunks are short: with long ones, the blocks at work are far apart in memory, which is
   * slower by half. Chunks with outer nodes are computed node by node.
   *
   * With cells, rows left over come one by one in a second loop, which keeps nothing from row to
   * row: TornadoVM makes of `d = u; u = t` at a loop's end two moves, in the wrong order.
   *
   * Registers are scalars: private arrays that a loop within a loop fills go to local memory on
   * the ptx backend.
   */

  private static final ElementType ELEMENT = ElementType.INT;

  private static final int DIRICHLET = 0;
  private static final int NEUMANN = 1;
  private static final int PERIODIC = 2;

  private static final int WIDTH = 32;
  private static final int HEIGHT = 16;

  /** Nodes from element 0 back to a multiple of 128 bytes. */
  private static final int LEAD = 16 / ELEMENT.bytes();

  /** Of a tile with the nodes around it. */
  private static final int PITCH = WIDTH + 2;

  private static final int ROWS = HEIGHT + 2;

  /** Columns of the ring of a strip. */
  private static final int RING = 4 * WIDTH;

  private static final int MOST_UP = 65535;

  /** Along an axis, so that places a few tiles further are ints too. */
  private static final int MOST_NODES = 1 << 30;

  /** Rows whose loads are on their way together in a march. */
  private static final int GROUP = 4;

  /** Threads of a block of a march. */
  private static final int MARCH_WIDTH = 128;

  private static final int MARCH_HEIGHT = 2;

  /** Rows of a thread in a march, unless that were too many blocks. */
  private static final int CHUNK = 2 * GROUP;

  private static final int COPY_THREADS = 256;

  /** Elements that a thread copies. */
  private static final int COPIED = 8;

  IntHeatKernels() {}

  @Override
  public KernelTask step(String id, HeatMethod method, Arguments a) {
    requireFewEnough(a);
    if (a.hasFaces() && method != HeatMethod.GLOBAL && method != HeatMethod.REGISTER_MARCH) {
      throw new IllegalArgumentException(
          "method %s has one diffusivity for all cells: use %s or %s for this one"
              .formatted(
                  method.label(), HeatMethod.GLOBAL.label(), HeatMethod.REGISTER_MARCH.label()));
    }
    return switch (method) {
      case GLOBAL -> a.hasFaces() ? globalOfCells(id, a) : global(id, a);
      case HALO_THREADS ->
          KernelTask.of(
              id,
              tiles(a, PITCH, ROWS),
              IntHeatKernels::haloThreadsStep,
              a.shape(),
              (@Element IntArray) a.from(),
              (@Element IntArray) a.to(),
              (@Element IntArray) a.coefficients(),
              (@Element IntArray) a.source(),
              a.shapeAt(),
              a.hasSource() ? 1 : 0,
              layered(a),
              up(a));
      case TILE ->
          KernelTask.of(
              id,
              tiles(a, WIDTH, HEIGHT),
              IntHeatKernels::tileStep,
              a.shape(),
              (@Element IntArray) a.from(),
              (@Element IntArray) a.to(),
              (@Element IntArray) a.coefficients(),
              (@Element IntArray) a.source(),
              a.shapeAt(),
              a.hasSource() ? 1 : 0,
              layered(a),
              up(a));
      case STRIP ->
          KernelTask.of(
              id,
              new Grid(layers(a), WIDTH, up(a), HEIGHT),
              IntHeatKernels::stripStep,
              a.shape(),
              (@Element IntArray) a.from(),
              (@Element IntArray) a.to(),
              (@Element IntArray) a.coefficients(),
              (@Element IntArray) a.source(),
              a.shapeAt(),
              a.hasSource() ? 1 : 0,
              up(a));
      case REGISTER_MARCH -> march(id, false, a);
      case REGISTER_STREAM ->
          throw new IllegalArgumentException(
              "method %s makes several steps a launch".formatted(method.label()));
    };
  }

  private static void requireFewEnough(Arguments a) {
    if (a.nx() > MOST_NODES || a.ny() > MOST_NODES) {
      throw new IllegalArgumentException(
          "at most %d nodes along an axis: nx=%d, ny=%d".formatted(MOST_NODES, a.nx(), a.ny()));
    }
  }

  private static int across(Arguments a) {
    return Math.ceilDiv(a.nx() + LEAD, WIDTH);
  }

  /** Rows of blocks of a layer. */
  private static int up(Arguments a) {
    return Math.min(Math.ceilDiv(a.ny(), HEIGHT), MOST_UP);
  }

  private static int layers(Arguments a) {
    return Math.ceilDiv(Math.ceilDiv(a.ny(), HEIGHT), MOST_UP);
  }

  /** The number of blocks across, or 0 if there is one layer. */
  private static int layered(Arguments a) {
    return layers(a) > 1 ? across(a) : 0;
  }

  private static Grid tiles(Arguments a, int threads, int threadsY) {
    return new Grid(Math.multiplyExact(across(a), layers(a)), threads, up(a), threadsY);
  }

  private static KernelTask global(String id, Arguments a) {
    return KernelTask.of(
        id,
        tiles(a, WIDTH, HEIGHT),
        IntHeatKernels::globalStep,
        a.shape(),
        (@Element IntArray) a.from(),
        (@Element IntArray) a.to(),
        (@Element IntArray) a.coefficients(),
        (@Element IntArray) a.source(),
        a.shapeAt(),
        a.hasSource() ? 1 : 0,
        layered(a),
        up(a));
  }

  private static KernelTask globalOfCells(String id, Arguments a) {
    return KernelTask.of(
        id,
        tiles(a, WIDTH, HEIGHT),
        IntHeatKernels::globalStepOfCells,
        a.shape(),
        (@Element IntArray) a.from(),
        (@Element IntArray) a.to(),
        (@Element IntArray) a.coefficients(),
        (@Element IntArray) a.source(),
        (@Element IntArray) a.facesX(),
        (@Element IntArray) a.facesY(),
        a.shapeAt(),
        a.hasSource() ? 1 : 0,
        layered(a),
        up(a));
  }

  /** Rows of a thread in a march. */
  private static int chunk(Arguments a) {
    int least = Math.ceilDiv(a.ny(), MOST_UP * MARCH_HEIGHT);
    return Math.max(CHUNK, Math.ceilDiv(least, GROUP) * GROUP);
  }

  private static Grid marchGrid(Arguments a) {
    return new Grid(
        Math.ceilDiv(a.nx() + LEAD, MARCH_WIDTH),
        MARCH_WIDTH,
        Math.ceilDiv(a.ny(), chunk(a) * MARCH_HEIGHT),
        MARCH_HEIGHT);
  }

  @Override
  public KernelTask march(String id, boolean rowsAtOnce, Arguments a) {
    requireFewEnough(a);
    if (a.hasFaces()) {
      return marchOfCells(id, a);
    }
    if (rowsAtOnce && chunk(a) == CHUNK) {
      return marchAtOnce(id, a);
    }
    return KernelTask.of(
        id,
        marchGrid(a),
        IntHeatKernels::march,
        a.shape(),
        (@Element IntArray) a.from(),
        (@Element IntArray) a.to(),
        (@Element IntArray) a.coefficients(),
        (@Element IntArray) a.source(),
        a.shapeAt(),
        a.hasSource() ? 1 : 0,
        chunk(a));
  }

  private static KernelTask marchAtOnce(String id, Arguments a) {
    return KernelTask.of(
        id,
        marchGrid(a),
        IntHeatKernels::marchAtOnce,
        a.shape(),
        (@Element IntArray) a.from(),
        (@Element IntArray) a.to(),
        (@Element IntArray) a.coefficients(),
        (@Element IntArray) a.source(),
        a.shapeAt(),
        a.hasSource() ? 1 : 0,
        CHUNK);
  }

  private static KernelTask marchOfCells(String id, Arguments a) {
    return KernelTask.of(
        id,
        marchGrid(a),
        IntHeatKernels::marchOfCells,
        a.shape(),
        (@Element IntArray) a.from(),
        (@Element IntArray) a.to(),
        (@Element IntArray) a.coefficients(),
        (@Element IntArray) a.source(),
        (@Element IntArray) a.facesX(),
        (@Element IntArray) a.facesY(),
        a.shapeAt(),
        a.hasSource() ? 1 : 0,
        chunk(a));
  }

  @Override
  public KernelTask copy(String id, Arguments a) {
    int nodes = Math.multiplyExact(a.nx(), a.ny());
    return KernelTask.of(
        id,
        Grid.of(Math.ceilDiv(nodes + LEAD, COPY_THREADS * COPIED), COPY_THREADS),
        IntHeatKernels::copyField,
        a.shape(),
        (@Element IntArray) a.from(),
        (@Element IntArray) a.to(),
        a.shapeAt());
  }

  @Override
  public KernelTask delivered(String id, Arguments a, Object result, int index) {
    return KernelTask.of(
        id,
        Grid.of(1, WIDTH),
        IntHeatKernels::deliver,
        a.shape(),
        (@Element IntArray) a.to(),
        (@Element IntArray) result,
        a.shapeAt(),
        index);
  }

  // The equation.

  /** A node's value after the step, from its neighbours' before: left, right, below, above. */
  private static @Element int next(
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

  /** The same with a coefficient for each face. */
  private static @Element int nextOfCells(
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

  // Outer nodes.

  /** How far it is to the neighbour before, or to what stands for it. */
  private static int back(int at, int count, int kind) {
    int ghost = kind == PERIODIC ? count - 1 : 0;
    return at > 0 ? -1 : ghost;
  }

  /** How far it is to the neighbour behind, or to what stands for it. */
  private static int ahead(int at, int count, int kind) {
    int ghost = kind == PERIODIC ? 1 - count : 0;
    return at < count - 1 ? 1 : ghost;
  }

  /**
   * Any node's value after the step. What a ghost has more than its edge is not added elsewhere.
   */
  private static @Element int outer(
      @Element IntArray from,
      @Element IntArray coefficients,
      @Element IntArray source,
      int i,
      int j,
      int nx,
      int ny,
      int sides,
      int hasSource) {
    int left = sides & 3;
    int right = (sides >> 2) & 3;
    int bottom = (sides >> 4) & 3;
    int top = (sides >> 6) & 3;
    int at = j * nx + i;
    @Element int cx = coefficients.get(0);
    @Element int k = coefficients.get(1);
    @Element int minusM = coefficients.get(2);
    @Element int u = from.get(at);
    @Element int l = from.get(at + back(i, nx, left));
    @Element int r = from.get(at + ahead(i, nx, right));
    @Element int d = from.get(at + back(j, ny, bottom) * nx);
    @Element int t = from.get(at + ahead(j, ny, top) * nx);
    @Element int lMore = l + coefficients.get(3);
    @Element int rMore = r + coefficients.get(4);
    @Element int dMore = d + coefficients.get(5);
    @Element int tMore = t + coefficients.get(6);
    l = i == 0 & left == NEUMANN ? lMore : l;
    r = i == nx - 1 & right == NEUMANN ? rMore : r;
    d = j == 0 & bottom == NEUMANN ? dMore : d;
    t = j == ny - 1 & top == NEUMANN ? tMore : t;
    @Element int value = next(l, r, d, t, u, cx, k, minusM);
    if (hasSource == 1) {
      value = value + source.get(at);
    }
    int fixedX = (i == 0 & left == DIRICHLET) | (i == nx - 1 & right == DIRICHLET) ? 1 : 0;
    int fixedY = (j == 0 & bottom == DIRICHLET) | (j == ny - 1 & top == DIRICHLET) ? 1 : 0;
    return (fixedX | fixedY) == 1 ? u : value;
  }

  /** The same with a coefficient for each face. */
  private static @Element int outerOfCells(
      @Element IntArray from,
      @Element IntArray coefficients,
      @Element IntArray facesX,
      @Element IntArray facesY,
      @Element IntArray source,
      int i,
      int j,
      int nx,
      int ny,
      int sides,
      int hasSource) {
    int left = sides & 3;
    int right = (sides >> 2) & 3;
    int bottom = (sides >> 4) & 3;
    int top = (sides >> 6) & 3;
    int at = j * nx + i;
    @Element int u = from.get(at);
    @Element int l = from.get(at + back(i, nx, left));
    @Element int r = from.get(at + ahead(i, nx, right));
    @Element int d = from.get(at + back(j, ny, bottom) * nx);
    @Element int t = from.get(at + ahead(j, ny, top) * nx);
    @Element int lMore = l + coefficients.get(3);
    @Element int rMore = r + coefficients.get(4);
    @Element int dMore = d + coefficients.get(5);
    @Element int tMore = t + coefficients.get(6);
    l = i == 0 & left == NEUMANN ? lMore : l;
    r = i == nx - 1 & right == NEUMANN ? rMore : r;
    d = j == 0 & bottom == NEUMANN ? dMore : d;
    t = j == ny - 1 & top == NEUMANN ? tMore : t;
    @Element int faceL = facesX.get(at + j);
    @Element int faceR = facesX.get(at + j + 1);
    @Element int faceD = facesY.get(at);
    @Element int faceT = facesY.get(at + nx);
    @Element int value = nextOfCells(l, r, d, t, u, faceL, faceR, faceD, faceT);
    if (hasSource == 1) {
      value = value + source.get(at);
    }
    int fixedX = (i == 0 & left == DIRICHLET) | (i == nx - 1 & right == DIRICHLET) ? 1 : 0;
    int fixedY = (j == 0 & bottom == DIRICHLET) | (j == ny - 1 & top == DIRICHLET) ? 1 : 0;
    return (fixedX | fixedY) == 1 ? u : value;
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
    int tileX = context.groupIdx;
    int tileY = context.groupIdy;
    if (across > 0) {
      tileY = tileY + tileX / across * up;
      tileX = tileX % across;
    }
    int i = tileX * WIDTH - LEAD + context.localIdx;
    int j = tileY * HEIGHT + context.localIdy;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + 1);
    int sides = shape.get(shapeAt + 2);
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
      if (hasSource == 1) {
        value = value + source.get(at);
      }
      to.set(at, value);
    } else {
      if (isOwn == 1) {
        to.set(at, outer(from, coefficients, source, i, j, nx, ny, sides, hasSource));
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
    int tileX = context.groupIdx;
    int tileY = context.groupIdy;
    if (across > 0) {
      tileY = tileY + tileX / across * up;
      tileX = tileX % across;
    }
    int i = tileX * WIDTH - LEAD + context.localIdx;
    int j = tileY * HEIGHT + context.localIdy;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + 1);
    int sides = shape.get(shapeAt + 2);
    if (i >= 0 & i < nx & j < ny) {
      @Element
      int value =
          outerOfCells(from, coefficients, facesX, facesY, source, i, j, nx, ny, sides, hasSource);
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
    int tileX = context.groupIdx;
    int tileY = context.groupIdy;
    if (across > 0) {
      tileY = tileY + tileX / across * up;
      tileX = tileX % across;
    }
    int x = context.localIdx;
    int y = context.localIdy;
    int i = tileX * WIDTH - LEAD + x - 1;
    int j = tileY * HEIGHT + y - 1;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + 1);
    int sides = shape.get(shapeAt + 2);
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
      if (hasSource == 1) {
        value = value + source.get(at);
      }
      to.set(at, value);
    } else {
      if (isOwn == 1) {
        to.set(at, outer(from, coefficients, source, i, j, nx, ny, sides, hasSource));
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
    int tileX = context.groupIdx;
    int tileY = context.groupIdy;
    if (across > 0) {
      tileY = tileY + tileX / across * up;
      tileX = tileX % across;
    }
    int x = context.localIdx;
    int y = context.localIdy;
    int startX = tileX * WIDTH - LEAD;
    int startY = tileY * HEIGHT;
    int i = startX + x;
    int j = startY + y;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + 1);
    int sides = shape.get(shapeAt + 2);
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
      if (hasSource == 1) {
        value = value + source.get(at);
      }
      to.set(at, value);
    } else {
      if (isOwn == 1) {
        to.set(at, outer(from, coefficients, source, i, j, nx, ny, sides, hasSource));
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
    int ny = shape.get(shapeAt + 1);
    int sides = shape.get(shapeAt + 2);
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
        if (hasSource == 1) {
          value = value + source.get(at);
        }
        to.set(at, value);
      } else {
        if (isOwn == 1) {
          to.set(at, outer(from, coefficients, source, i, j, nx, ny, sides, hasSource));
        }
      }
    }
  }

  // Method 5.

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
    int ny = shape.get(shapeAt + 1);
    int sides = shape.get(shapeAt + 2);
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
        if (hasSource == 1) {
          v0 = v0 + source.get(at);
          v1 = v1 + source.get(at1);
          v2 = v2 + source.get(at2);
          v3 = v3 + source.get(at3);
        }
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
      while (j < end) {
        to.set(j * nx + i, outer(from, coefficients, source, i, j, nx, ny, sides, hasSource));
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
    int ny = shape.get(shapeAt + 1);
    int sides = shape.get(shapeAt + 2);
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
      if (hasSource == 1) {
        v0 = v0 + source.get(at);
        v1 = v1 + source.get(at1);
        v2 = v2 + source.get(at2);
        v3 = v3 + source.get(at3);
        v4 = v4 + source.get(at4);
        v5 = v5 + source.get(at5);
        v6 = v6 + source.get(at6);
        v7 = v7 + source.get(at7);
      }
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
      while (j < end) {
        to.set(j * nx + i, outer(from, coefficients, source, i, j, nx, ny, sides, hasSource));
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
    int ny = shape.get(shapeAt + 1);
    int sides = shape.get(shapeAt + 2);
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
        if (hasSource == 1) {
          v0 = v0 + source.get(at);
          v1 = v1 + source.get(at1);
          v2 = v2 + source.get(at2);
          v3 = v3 + source.get(at3);
        }
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
      while (j < end) {
        to.set(
            j * nx + i,
            outerOfCells(
                from, coefficients, facesX, facesY, source, i, j, nx, ny, sides, hasSource));
        j = j + 1;
      }
    }
  }

  // What else a routine needs.

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
      int index) {
    int thread = context.globalIdx;
    int nodes = shape.get(shapeAt) * shape.get(shapeAt + 1);
    if (thread == 0) {
      @Element int runs = result.get(index + 1) + 1;
      if (runs > RunCounter.LAST) {
        runs = 0;
      }
      result.set(index, to.get(nodes - 1));
      result.set(index + 1, runs);
    }
  }
}
