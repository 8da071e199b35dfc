package funnel.heat;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** JVM form of a heat equation's steps over one element type. */
@Twins({"Float", "Double"})
final class IntHeatLoops implements HeatLoops {

  /* The grid is cut into tiles, which are distributed over the cores. A pass makes up to LEVELS
   * steps while it moves through a tile once, from bottom to top, so that memory sees one read and
   * one write for all of them: when row s of the field is read, row s - 1 makes its first step, row
   * s - 2 its second, and so on. Each level keeps three rows, which stay in a core's own cache.
   *
   *      level 0  level 1  level 2  out
   *        s       s - 1    s - 2   s - 3
   *
   * A tile reads as many nodes beyond its edges as there are levels, and steps them too. After each
   * level one more of them is wrong, but none of the tile's own nodes. Beyond periodic sides are
   * the nodes of the opposite side. At other sides the tile ends with ghosts: one node before and
   * one after each row, and a row of them in place of a missing row below or above.
   *
   * A row is a Java array, and C2 vectorizes the plain loops over it, but only if all arrays have
   * the same index: it cannot know that the result's array is not one of those that are read. So
   * neighbours along x are read from copies that are shifted by one: such a loop is six times as
   * fast. Every node first gets an inner node's value; Dirichlet sides then restore theirs from the
   * row before.
   */

  private static final ValueLayout.@Element OfInt LAYOUT = ValueLayout.JAVA_INT_UNALIGNED;

  /** The most steps of a pass; of 1, 2, 4 and 8, the last was the fastest. */
  private static final int LEVELS = 8;

  /** The most columns of a tile, so that the rows of all levels are in a core's own cache. */
  private static final int WIDTH = 2048;

  /** The most rows of a tile, and the least if there would be fewer tiles than cores. */
  private static final int HEIGHT = 256;

  private static final int LEAST_HEIGHT = 64;
  private static final int TILES_PER_CORE = 4;

  @Override
  public void advance(HeatGrid grid, HeatArrays arrays, int steps) {
    int levels = LEVELS;
    while (levels > 1 && steps % (2 * levels) > 0) {
      levels /= 2;
    }
    MemorySegment from = arrays.field();
    MemorySegment to = arrays.next();
    for (int made = 0; made < steps; made += levels) {
      pass(grid, arrays, from, to, levels, false);
      MemorySegment last = to;
      to = from;
      from = last;
    }
    if (steps / levels % 2 == 1) {
      copy(grid, from, to);
    }
  }

  @Override
  public void change(HeatGrid grid, HeatArrays arrays) {
    pass(grid, arrays, arrays.field(), arrays.next(), 1, true);
  }

  @Override
  public Number last(HeatGrid grid, HeatArrays arrays) {
    return arrays.field().get(LAYOUT, (grid.nodes() - 1L) * LAYOUT.byteSize());
  }

  @Override
  public void setSides(HeatGrid grid, HeatArrays arrays) {
    for (int side = 0; side < HeatGrid.SIDES.size(); side++) {
      boolean isSet =
          grid.kind(side) == HeatGrid.DIRICHLET
              && number(arrays, HeatArrays.FACTORS + side) > (@Element int) 0;
      int stride = HeatGrid.isAcrossX(side) ? grid.nx() : 1;
      int last = grid.nodes() - 1 - (grid.nodesOf(side) - 1) * stride;
      int first = side % 2 == 0 ? 0 : last;
      for (int node = 0; node < grid.nodesOf(side) && isSet; node++) {
        long at = first + (long) node * stride;
        @Element int value = number(arrays, grid.valuesOf(side) + node);
        arrays.field().set(LAYOUT, at * LAYOUT.byteSize(), value);
      }
    }
  }

  private static @Element int number(HeatArrays arrays, int at) {
    return arrays.coefficients().get(LAYOUT, at * LAYOUT.byteSize());
  }

  private static void copy(HeatGrid grid, MemorySegment from, MemorySegment to) {
    long row = grid.nx() * LAYOUT.byteSize();
    ParallelRows.run(
        grid.ny(),
        grid.nodes(),
        (first, end) ->
            MemorySegment.copy(from, first * row, to, first * row, (end - first) * row));
  }

  private static int tilesWanted() {
    return TILES_PER_CORE * ParallelRows.cores();
  }

  private static void pass(
      HeatGrid grid,
      HeatArrays arrays,
      MemorySegment from,
      MemorySegment to,
      int levels,
      boolean change) {
    int columns = Math.ceilDiv(grid.nx(), WIDTH);
    int rows =
        Math.clamp(
            Math.ceilDiv(tilesWanted(), columns),
            Math.ceilDiv(grid.ny(), HEIGHT),
            Math.ceilDiv(grid.ny(), LEAST_HEIGHT));
    ParallelRows.run(
        columns * rows,
        grid.nodes(),
        (first, end) -> {
          for (int tile = first; tile < end; tile++) {
            int x = (int) ((long) grid.nx() * (tile % columns) / columns);
            int endX = (int) ((long) grid.nx() * (tile % columns + 1) / columns);
            int y = (int) ((long) grid.ny() * (tile / columns) / rows);
            int endY = (int) ((long) grid.ny() * (tile / columns + 1) / rows);
            new Tile(grid, arrays, from, to, levels, change, x, endX, columns > 1).march(y, endY);
          }
        });
  }

  /** One tile in one pass. Its columns are numbered from 1; 0 and width + 1 are ghosts. */
  private static final class Tile {
    private final HeatGrid grid;
    private final HeatArrays arrays;
    private final MemorySegment from;
    private final MemorySegment to;
    private final int levels;
    private final boolean change;
    private final int x;
    private final int endX;

    /** The first column of the grid that is read, and their number. */
    private final int readX;

    private final int width;

    /** Kinds of the sides at the tile's ends, -1 where the grid continues. */
    private final int left;

    private final int right;
    private final @Element int[] coefficients;
    private final @Element int[][][] rows;
    private final @Element int[] ghostsBelow;
    private final @Element int[] ghostsAbove;
    private final @Element int[] before;
    private final @Element int[] behind;
    private final @Element int[] source;
    private final @Element int[][] faces;

    Tile(
        HeatGrid grid,
        HeatArrays arrays,
        MemorySegment from,
        MemorySegment to,
        int levels,
        boolean change,
        int x,
        int endX,
        boolean isPart) {
      this.grid = grid;
      this.arrays = arrays;
      this.from = from;
      this.to = to;
      this.levels = levels;
      this.change = change;
      this.x = x;
      this.endX = endX;
      boolean wraps = grid.kind(HeatGrid.LEFT) == HeatGrid.PERIODIC;
      int readEnd = isPart ? endX + levels : endX;
      int first = isPart ? x - levels : x;
      readX = wraps ? first : Math.max(0, first);
      width = (wraps ? readEnd : Math.min(grid.nx(), readEnd)) - readX;
      left = readX > 0 || wraps && isPart ? -1 : grid.kind(HeatGrid.LEFT);
      right = readX + width < grid.nx() || wraps && isPart ? -1 : grid.kind(HeatGrid.RIGHT);
      coefficients =
          arrays.coefficients().asSlice(0, HeatArrays.COUNT * LAYOUT.byteSize()).toArray(LAYOUT);
      rows = new @Element int[levels + 1][3][width + 2];
      ghostsBelow = new @Element int[width + 2];
      ghostsAbove = new @Element int[width + 2];
      before = new @Element int[width + 2];
      behind = new @Element int[width + 2];
      source = new @Element int[grid.hasSource() ? width + 2 : 0];
      faces = new @Element int[grid.hasCells() ? 4 : 0][width + 2];
    }

    private boolean isPeriodicY() {
      return grid.kind(HeatGrid.BOTTOM) == HeatGrid.PERIODIC;
    }

    /** Computes the steps of rows {@code y} to {@code endY}, the latter excluded. */
    void march(int y, int endY) {
      int begin = firstRow(y, 0);
      for (int s = begin; s < endY + levels; s++) {
        if (s < endRow(endY, 0)) {
          @Element int[] row = rows[0][(s - begin) % 3];
          load(from, grid.nx(), wrapped(s), 0, row);
          ends(row, wrapped(s));
        }
        for (int level = 1; level <= levels; level++) {
          int j = s - level;
          if (j >= firstRow(y, level) && j < endRow(endY, level)) {
            step(level, j, begin);
          }
        }
        int done = s - levels;
        if (done >= y) {
          store(rows[levels][(done - begin) % 3], rows[levels - 1][(done - begin) % 3], done);
        }
      }
    }

    /** The first correct row at a level. */
    private int firstRow(int y, int level) {
      int first = y - (levels - level);
      return isPeriodicY() ? first : Math.max(0, first);
    }

    private int endRow(int endY, int level) {
      int end = endY + levels - level;
      return isPeriodicY() ? end : Math.min(grid.ny(), end);
    }

    /** Computes row {@code j} of a level from those of the level before. */
    private void step(int level, int j, int begin) {
      @Element int[][] last = rows[level - 1];
      int place = j - begin;
      @Element int[] row = last[place % 3];
      @Element int[] result = rows[level][place % 3];
      int bottom = j == 0 ? grid.kind(HeatGrid.BOTTOM) : -1;
      int top = j == grid.ny() - 1 ? grid.kind(HeatGrid.TOP) : -1;
      if (bottom == HeatGrid.DIRICHLET || top == HeatGrid.DIRICHLET) {
        System.arraycopy(row, 0, result, 0, width + 2);
        return;
      }
      @Element int[] below = last[(place + 2) % 3];
      @Element int[] above = last[(place + 1) % 3];
      if (bottom == HeatGrid.GHOST || bottom == HeatGrid.PROFILE) {
        ghosts(HeatGrid.BOTTOM, row, ghostsBelow);
        below = ghostsBelow;
      }
      if (top == HeatGrid.GHOST || top == HeatGrid.PROFILE) {
        ghosts(HeatGrid.TOP, row, ghostsAbove);
        above = ghostsAbove;
      }
      System.arraycopy(row, 0, before, 1, width);
      System.arraycopy(row, 2, behind, 1, width);
      if (grid.hasCells()) {
        loadFaces(j);
        cells(before, behind, below, above, row, faces, result, width);
      } else {
        interior(before, behind, below, above, row, coefficients, result, width);
      }
      if (grid.hasSource()) {
        load(arrays.source(), grid.nx(), wrapped(j), 0, source);
        add(result, source, width);
      }
      if (left == HeatGrid.DIRICHLET) {
        result[1] = row[1];
      }
      if (right == HeatGrid.DIRICHLET) {
        result[width] = row[width];
      }
      ends(result, wrapped(j));
    }

    /** Computes the row of ghosts beyond a row at the bottom or top. */
    private void ghosts(int side, @Element int[] row, @Element int[] result) {
      if (grid.kind(side) == HeatGrid.PROFILE) {
        load(arrays.coefficients(), 0, 0, grid.valuesOf(side), result);
      } else {
        Arrays.fill(result, coefficients[HeatArrays.ADDENDS + side]);
      }
      addPart(coefficients[HeatArrays.FACTORS + side], row, result, width);
    }

    /** Reads the coefficients of the faces around a row's nodes: left, right, below, above. */
    private void loadFaces(int j) {
      int row = wrapped(j);
      load(arrays.facesX(), grid.nx() + 1, row, 0, faces[0]);
      load(arrays.facesX(), grid.nx() + 1, row, 1, faces[1]);
      load(arrays.facesY(), grid.nx(), row, 0, faces[2]);
      load(arrays.facesY(), grid.nx(), row + 1, 0, faces[3]);
    }

    private int wrapped(int j) {
      return Math.floorMod(j, grid.ny());
    }

    /** Reads the tile's part of a row of {@code pitch} elements, shifted by {@code shift}. */
    private void load(MemorySegment array, int pitch, int j, int shift, @Element int[] row) {
      long start = (long) j * pitch + shift;
      int at = 0;
      while (at < width) {
        int i = Math.floorMod(readX + at, grid.nx());
        int count = Math.min(width - at, grid.nx() - i);
        MemorySegment.copy(array, LAYOUT, (start + i) * LAYOUT.byteSize(), row, 1 + at, count);
        at += count;
      }
    }

    /** Sets the ghosts before and after a row. */
    private void ends(@Element int[] row, int j) {
      row[0] =
          switch (left) {
            case HeatGrid.PERIODIC -> row[width];
            case HeatGrid.GHOST, HeatGrid.PROFILE -> ghost(HeatGrid.LEFT, row[1], j);
            default -> row[1];
          };
      row[width + 1] =
          switch (right) {
            case HeatGrid.PERIODIC -> row[1];
            case HeatGrid.GHOST, HeatGrid.PROFILE -> ghost(HeatGrid.RIGHT, row[width], j);
            default -> row[width];
          };
    }

    private @Element int ghost(int side, @Element int node, int j) {
      @Element int more = coefficients[HeatArrays.ADDENDS + side];
      if (grid.kind(side) == HeatGrid.PROFILE) {
        more = number(arrays, grid.valuesOf(side) + j);
      }
      return Scalars.fma(coefficients[HeatArrays.FACTORS + side], node, more);
    }

    private void store(@Element int[] row, @Element int[] before, int j) {
      if (change) {
        distance(before, row, width);
      }
      long at = (long) j * grid.nx() + x;
      MemorySegment.copy(row, 1 + x - readX, to, LAYOUT, at * LAYOUT.byteSize(), endX - x);
    }
  }

  private static void interior(
      @Element int[] before,
      @Element int[] behind,
      @Element int[] below,
      @Element int[] above,
      @Element int[] row,
      @Element int[] coefficients,
      @Element int[] result,
      int width) {
    @Element int cx = coefficients[0];
    @Element int k = coefficients[1];
    @Element int minusM = coefficients[2];
    for (int i = 1; i <= width; i++) {
      @Element int h = before[i] + behind[i];
      @Element int v = below[i] + above[i];
      @Element int z = Scalars.fma(k, v, h);
      z = Scalars.fma(minusM, row[i], z);
      result[i] = Scalars.fma(cx, z, row[i]);
    }
  }

  private static void cells(
      @Element int[] before,
      @Element int[] behind,
      @Element int[] below,
      @Element int[] above,
      @Element int[] row,
      @Element int[][] faces,
      @Element int[] result,
      int width) {
    @Element int[] left = faces[0];
    @Element int[] right = faces[1];
    @Element int[] lower = faces[2];
    @Element int[] upper = faces[3];
    for (int i = 1; i <= width; i++) {
      @Element int u = row[i];
      @Element int a = Scalars.fma(right[i], behind[i] - u, -(left[i] * (u - before[i])));
      @Element int b = Scalars.fma(upper[i], above[i] - u, -(lower[i] * (u - below[i])));
      result[i] = u + (a + b);
    }
  }

  /** Adds a multiple of each node to a number. */
  private static void addPart(
      @Element int part, @Element int[] row, @Element int[] result, int width) {
    for (int i = 1; i <= width; i++) {
      result[i] = Scalars.fma(part, row[i], result[i]);
    }
  }

  /** Adds a number to each node of a row. */
  private static void add(@Element int[] row, @Element int[] addends, int width) {
    for (int i = 1; i <= width; i++) {
      row[i] = row[i] + addends[i];
    }
  }

  /** Replaces each node by its distance from the node before. */
  private static void distance(@Element int[] before, @Element int[] row, int width) {
    for (int i = 1; i <= width; i++) {
      row[i] = Math.abs(row[i] - before[i]);
    }
  }
}
