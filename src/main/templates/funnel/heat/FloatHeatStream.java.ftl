<#-- Method 6: the kernels of FloatHeatStream, unrolled. In this file

       levels   levels of time in registers: steps of the equation that one pass over the grid makes
       columns  columns of a lane at a time
       trip     rows that the loop is written out for: few enough to fit into TornadoVM's limit of nodes
                (20,000 in a method), enough that registers are hardly moved
       group    rows that are read together, a divisor of trip; of a short trip all

     and of each tile 32 * columns columns are read and validOf(levels, columns) written. -->
<#-- Columns of a lane inside of the grid: as many as levels leave registers for. -->
<#function columnsOf levels>
  <#return (levels > 8)?then(deepColumns, columns)>
</#function>
<#function validOf levels columns>
  <#return 32 * columns - 2 * levels>
</#function>
<#function name row level column>
  <#-- the value of a column of a level's row: rows of this trip from 0; those before are -1, -2 -->
  <#if row < 0>
    <#return (row == -1)?then("last", "older") + level + "x" + column>
  </#if>
  <#return "row" + row + "x" + level + "x" + column>
</#function>
<#-- Places in a local array that holds a row; no two lanes meet in a bank, unless columns is 6. -->
<#function gapOf columns>
  <#return (32 % columns == 0)?then(1, 0)>
</#function>
<#function placesOf columns>
  <#return (32 + gapOf(columns)) * columns>
</#function>
<#-- Rows that leave, of a trip, take turns in two places; an odd one at the end takes a third. -->
<#function turn row trip>
  <#return (row == trip - 1 && trip % 2 == 1)?then(2, row % 2)>
</#function>
<#function turns trip>
  <#return 2 + trip % 2>
</#function>
<#macro rowsBefore levels columns>
<#list 0..<levels as level>
<#list 0..columns + 1 as column>
    float ${name(-1, level, column)} = 0;
</#list>
<#list 1..columns as column>
    float ${name(-2, level, column)} = 0;
</#list>
</#list>
</#macro>
<#macro rowsHandedOn levels columns trip>
<#list 0..<levels as level>
<#list 1..columns as column>
      ${name(-2, level, column)} = ${name(trip - 2, level, column)};
</#list>
<#list 0..columns + 1 as column>
      ${name(-1, level, column)} = ${name(trip - 1, level, column)};
</#list>
</#list>
</#macro>
<#-- The five operations of a step at a node; nothing in them is left to contract. -->
<#macro step next u l r d t>
      float ${next} =
          Scalars.fma(
              cx, Scalars.fma(minusM, ${u}, Scalars.fma(k, ${d} + ${t}, ${l} + ${r})), ${u});
</#macro>
<#-- One row of all levels: its level 0 is there, the last level of the row `levels` before comes. -->
<#macro advance row levels columns atSides=false>
<#list 0..<levels as level>
      float ${name(row, level, columns)} = context.simdShuffleDown(${name(row, level, 0)}, 1);
      float ${name(row, level, columns + 1)} = context.simdShuffleDown(${name(row, level, 1)}, 1);
<#if atSides>
      int distance${level} = step - ${level + 1};
      int isFixed${level} = distance${level} == fixedBottom ? 1 : distance${level} == fixedTop ? 1 : 0;
</#if>
<#list 0..<columns as column>
<#local
    left = name(row - 1, level, column)
    here = name(row - 1, level, column + 1)
    right = name(row - 1, level, column + 2)
    down = name(row - 2, level, column + 1)
    up = name(row, level, column + 1)
    next = name(row, level + 1, column)>
<#if atSides>
<#local at = level + column + 1>
      float beyondLeft${at}x${level} = Scalars.fma(pLeft, ${here}, gLeft);
      float beyondRight${at}x${level} = Scalars.fma(pRight, ${here}, gRight);
      float below${at}x${level} = Scalars.fma(pBottom, ${here}, gBottom);
      float above${at}x${level} = Scalars.fma(pTop, ${here}, gTop);
      float left${at}x${level} = fluxLeft == ${at} ? beyondLeft${at}x${level} : ${left};
      float right${at}x${level} = fluxRight == ${at} ? beyondRight${at}x${level} : ${right};
      float down${at}x${level} = fluxBottom == distance${level} ? below${at}x${level} : ${down};
      float up${at}x${level} = fluxTop == distance${level} ? above${at}x${level} : ${up};
<#local suffix = at + "x" + level>
<@step "free" + suffix here "left" + suffix "right" + suffix "down" + suffix "up" + suffix/>
      float bound${suffix} = fixedRight == ${at} ? ${here} : free${suffix};
      float inRow${suffix} = fixedLeft == ${at} ? ${here} : bound${suffix};
      float ${next} = isFixed${level} == 1 ? ${here} : inRow${suffix};
<#else>
<@step next here left right down up/>
</#if>
</#list>
</#list>
</#macro>

package funnel.heat;

import funnel.operation.Launches;
import funnel.kernel.KernelTask;
import funnel.kernel.Scalars;
import java.util.List;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The kernels of {@link HeatMethod#REGISTER_STREAM}: several steps in one pass over the grid. */
final class FloatHeatStream {

  /* Temporal blocking as a stream of rows through registers, one warp on its own. A warp takes a
   * tile of columns and a stretch of rows and moves upwards, a row at a time. A row that arrives at
   * level 0 (no step yet) completes one of level 1, a row below; that one completes one of level 2,
   * and so on. A level keeps two rows. Neighbours of a tile's outer columns and of a stretch's
   * outer rows are computed twice.
   *
   * Lanes hold adjacent columns, and a level's columns begin one to the right of those of the level
   * below. A column then needs its own lane's values and two of the next lane's, so shuffles only
   * go down. At each level two more columns of the last lane are wrong; a tile writes only the
   * right ones.
   *
   * Rows leave through local memory, so that a warp writes along a row. If each lane wrote its own
   * columns, there would be as many requests to the second-level cache as a lane has columns, each
   * for a part of a sector. Incoming rows do not need that: a lane's later columns are found in the
   * first-level cache. ${longGroup} rows are requested together: a warp that waits for one load
   * waits for all its requests, so requesting the next rows meanwhile would make no row arrive
   * earlier. The ptx backend has kernels with a loop body of ${shortTrip} rows, all requested at
   * its beginning: in longer bodies ptxas uses rows too early, and waits for loads that have just
   * begun. The cuda backend orders its code differently, and is slower with the short body.
   *
   * A row of a level is used by the next two rows, so its registers are free after three, or levels
   * share them. The loop is unrolled so that no row changes its registers: see the rows of a trip
   * below.
   *
   * The coefficients are constants of the task, so that they take no registers.
   *
   * The first blocks compute the nodes along the sides, or the whole of a small grid: narrow tiles,
   * with selections at each column. The others have the tiles that touch no side, without any
   * condition. Loads beyond the grid read its edge, or the opposite one if it is periodic. */

  private static final int LANES = 32;

  /** Warps for each multiprocessor, if the grid has that many rows. */
  private static final int WARPS_OF_MULTIPROCESSOR = ${warps};

  /**
   * The distance of inner tiles from a side in columns. Their rows, which begin 16 bytes after a
   * multiple of 128, are then whole sectors of the caches if nx is a multiple of 8.
   */
  private static final int LEAD = ${lead};

  /** The most nodes of a grid. */
  static final int MOST_NODES = 1 << 30;

  private static final int SMALL_NODES = 1 << 23;

  /** The number on the largest devices. */
  private static final int MULTIPROCESSORS = 132;

  /** The bits of an index; a mask with them shows the compiler that it is not negative. */
  private static final int IN_ARRAY = MOST_NODES - 1;

  /** Far from anything that a distance is compared with. */
  private static final int NOWHERE = -(1 << 30);

  private FloatHeatStream() {}

  /**
   * Adds the launch of one pass.
   *
   * @param levels steps of the pass: ${levelsOfAll?join(", ")}
   * @param isShort whether to use a kernel of short trips, if there is one
   * @param grid the grid, without source and faces
   */
  static void addPass(
      Launches launches, String task, int levels, boolean isShort, HeatGrid grid) {
    int nx = grid.nx();
    int ny = grid.ny();
    if (grid.hasSource() || grid.hasCells() || (long) nx * ny > MOST_NODES) {
      throw new IllegalArgumentException(
          "the register stream has no source term, one diffusivity and at most %d nodes: hasSource=%b, hasCells=%b, nx=%d, ny=%d"
              .formatted(MOST_NODES, grid.hasSource(), grid.hasCells(), nx, ny));
    }
    if (!List.of(${levelsOfAll?join(", ")}).contains(levels)) {
      throw new IllegalArgumentException(
          "levels=%d, but there are kernels of ${levelsOfAll?join(", ")}".formatted(levels));
    }
    int valid = LANES * (levels > 8 ? ${deepColumns} : ${columns}) - 2 * levels;
    int sideValid = LANES * ${sideColumns} - 2 * levels;
    int blocks = blocks(nx, ny, levels, valid);
    int sideRows = sideRows(nx, ny);
    int sideBlocks = sideBlocks(nx, ny, blocks > 0, sideValid, sideRows);
    float k = (float) grid.k();
    launches
        .value("cx", (float) grid.cx())
        .value("k", k)
        .value("minusM", -(2 + 2 * k))
        .value("sideBlocks", sideBlocks)
        .value("sideRows", sideRows)
        .add(
            task,
            FloatHeatStream.class,
            "pass" + levels + (isShort && levels >= 8 ? "Short" : ""),
            KernelTask.Grid.of(blocks + sideBlocks, LANES));
  }

  /**
   * Blocks for the tiles that touch no side, 0 if there are none: a few times as many as run at
   * once, or so few that each writes as many rows as it reads in addition.
   */
  private static int blocks(int nx, int ny, int levels, int valid) {
    int width = nx - 2 * levels - LEAD;
    int height = ny - 2 * levels;
    if (width < valid || height < 1) {
      return 0;
    }
    int tiles = (width - 1) / valid + 1;
    int most = MULTIPROCESSORS * WARPS_OF_MULTIPROCESSOR / tiles;
    return tiles * Math.clamp(most, 1, Math.max(1, height / (2 * levels)));
  }

  /** The nearest coordinate from 0 to n - 1. */
  private static int inGrid(int coordinate, int n) {
    return Scalars.max(0, Scalars.min(coordinate, n - 1));
  }

  /** The coordinate from 0 to n - 1 that is whole periods away. */
  private static int inPeriod(int coordinate, int n) {
    return (coordinate % n + n) % n;
  }

  /** Rows of a stretch at the sides: few in small grids, where the longest one delays the pass. */
  private static int sideRows(int nx, int ny) {
    return nx * ny < SMALL_NODES ? ${sideRowsSmall} : ${sideRows};
  }

  /** Blocks for the rest; any number is correct. */
  private static int sideBlocks(int nx, int ny, boolean hasInside, int valid, int sideRows) {
    long flat = hasInside ? 2 : (ny - 1) / sideRows + 1;
    long upright = hasInside ? 2 * (ny / sideRows + 1) : 0;
    long items = flat * ((nx - 1) / valid + 1) + upright;
    return (int) Math.min(MULTIPROCESSORS * LANES, items);
  }
<#list levelsOfAll as levels>
<#list (levels < 8)?then([longTrip], [longTrip, shortTrip]) as trip>
<#assign
    group = (trip == shortTrip)?then(shortTrip, longGroup)
    inside = columnsOf(levels)
    valid = validOf(levels, inside)
    sideValid = validOf(levels, sideColumns)
    places = placesOf(inside)
    gap = gapOf(inside)>

  static void pass${levels}<#if trip == shortTrip>Short</#if>(
      KernelContext context,
      IntArray shape,
      FloatArray from,
      FloatArray to,
      FloatArray coefficients,
      int shapeAt,
      float cx,
      float k,
      float minusM,
      int sideBlocks,
      int sideRows) {
    int lane = context.localIdx;
    int block = context.groupIdx;
    int blocks = context.globalGroupSizeX / LANES - sideBlocks;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + HeatLaunches.NY_AT);
    float[] leaving = context.allocateFloatLocalArray(${places * turns(trip)});
    int width = nx - ${2 * levels} - LEAD;
    int height = ny - ${2 * levels};
    if (block >= sideBlocks) {
      int own = lane + lane * ${inside - 1}<#if gap == 1> + lane / ${32 / inside}</#if>;
      int tiles = Scalars.max(1, (width + ${valid - 1}) / ${valid});
      int stretches = Scalars.max(1, Scalars.min(blocks / tiles, height / ${2 * levels}));
      int rows = (Scalars.max(0, height) + stretches - 1) / stretches;
      int place = block - sideBlocks;
            int x = Scalars.max(0, Scalars.min(place % tiles * ${valid}, width - ${valid})) + LEAD;
      int y = Scalars.min(place / tiles * rows, Scalars.max(0, height));
      int end = Scalars.min(y + rows, height);
      int steps = width < ${valid} ? 0 : end > y ? end - y + ${2 * levels} : 0;

      int first = x + lane * ${inside};
      int last = (Scalars.max(1, Scalars.min(y + steps, ny)) - 1) * nx + first;
      int at = Scalars.min(y * nx + first, last);
      int out = (y + ${levels}) * nx + x + ${levels} + lane;
<@rowsBefore levels inside/>
<#list 0..<group as row>
<#list 0..<inside as column>
      float coming${column}of${row} = 0;
</#list>
</#list>
      if (steps > 0) {
<#list 0..<group as row>
<#list 0..<inside as column>
        coming${column}of${row} = from.get(at + ${column});
</#list>
        at = Scalars.min(at + nx, last);
</#list>
      }
      for (int step = 0; step < steps; step += ${trip}) {
<#list 0..<trip as row>
<#assign place = turn(row, trip) * places>
        // row ${row + 1} of ${trip}
<#if row % group == 0>
<#list 0..<group as later>
<#list 0..<inside as column>
        float ${name(row + later, 0, column)} = coming${column}of${later};
</#list>
</#list>
<#list 0..<group as later>
<#list 0..<inside as column>
        coming${column}of${later} = from.get((at & IN_ARRAY) + ${column});
</#list>
        at = Scalars.min(at + nx, last);
</#list>
</#if>
<@advance row levels inside/>
<#list 0..<inside as column>
        leaving[own + ${place + column}] = ${name(row, levels, column)};
</#list>
        context.localBarrier();
        if (step + ${row} >= ${2 * levels} & step + ${row} < steps) {
<#list 0..<inside as part>
<#if 32 * part + 31 < valid>
          to.set((out & IN_ARRAY) + ${32 * part}, leaving[lane + ${place + (32 + gap) * part}]);
<#elseif 32 * part < valid>
          if (lane < ${valid - 32 * part}) {
            to.set((out & IN_ARRAY) + ${32 * part}, leaving[lane + ${place + (32 + gap) * part}]);
          }
</#if>
</#list>
          out += nx;
        }
</#list>
<@rowsHandedOn levels inside trip/>
      }
    } else {
      int left = shape.get(shapeAt + HeatLaunches.LEFT_AT);
      int right = shape.get(shapeAt + HeatLaunches.RIGHT_AT);
      int bottom = shape.get(shapeAt + HeatLaunches.BOTTOM_AT);
      int top = shape.get(shapeAt + HeatLaunches.TOP_AT);
      float gLeft = coefficients.get(3);
      float gRight = coefficients.get(4);
      float gBottom = coefficients.get(5);
      float gTop = coefficients.get(6);
      float pLeft = coefficients.get(7);
      float pRight = coefficients.get(8);
      float pBottom = coefficients.get(9);
      float pTop = coefficients.get(10);

      // the rest: strips along bottom and top, and between them left and right
      int hasInside = width < ${valid} ? 0 : height < 1 ? 0 : 1;
      int low = hasInside == 1 ? ${levels} : ny;
      int high = hasInside == 1 ? ny - ${levels} : ny;
      int tiles = (nx - 1) / ${sideValid} + 1;
      int lower = (low + sideRows - 1) / sideRows;
      int upper = (ny - high + sideRows - 1) / sideRows;
      int between = (high - low + sideRows - 1) / sideRows;
      int flat = tiles * (lower + upper);
      int items = flat + 2 * between;
      for (int item = block; item < items; item += sideBlocks) {
        int strip = item / tiles;
        int rest = Scalars.max(0, item - flat);
        int isFlat = item < flat ? 1 : 0;
        int isLower = strip < lower ? 1 : 0;
        int upright = rest % 2 == 0 ? 0 : nx - ${levels};
        int uprightEnd = rest % 2 == 0 ? ${levels} + LEAD : nx;
        int x = isFlat == 1 ? item % tiles * ${sideValid} : upright;
        int xEnd = isFlat == 1 ? Scalars.min(x + ${sideValid}, nx) : uprightEnd;
        int lying = isLower == 1 ? strip * sideRows : high + (strip - lower) * sideRows;
        int lyingEnd = isLower == 1 ? low : ny;
        int y = isFlat == 1 ? lying : low + rest / 2 * sideRows;
        int yEnd = Scalars.min(y + sideRows, isFlat == 1 ? lyingEnd : high);
        int steps = yEnd - y + ${2 * levels};

        // from the lane's first column at level 0, and from the first row read, to the sides
        int first = x - ${levels} + lane * ${sideColumns};
        int toRight = nx - 1 - first;
        int bottomAt = ${levels} - y;
        int topAt = ny - 1 + ${levels} - y;
        int fixedLeft = left == 0 ? -first : NOWHERE;
        int fixedRight = right == 0 ? toRight : NOWHERE;
        int fixedBottom = bottom == 0 ? bottomAt : NOWHERE;
        int fixedTop = top == 0 ? topAt : NOWHERE;
        int fluxLeft = left == 1 ? -first : NOWHERE;
        int fluxRight = right == 1 ? toRight : NOWHERE;
        int fluxBottom = bottom == 1 ? bottomAt : NOWHERE;
        int fluxTop = top == 1 ? topAt : NOWHERE;
        int own = lane * ${sideColumns};
<#list 0..<sideColumns as column>
        int period${column} = inPeriod(first + ${column}, nx);
        int grid${column} = inGrid(first + ${column}, nx);
        int column${column} = left == 2 ? period${column} : grid${column};
</#list>
<@rowsBefore levels sideColumns/>
        int wrapped = inPeriod(y - ${levels}, ny);
        int clamped = inGrid(y - ${levels}, ny);
        int start = (bottom == 2 ? wrapped : clamped) * nx;
<#list 0..<sideColumns as column>
        float coming${column} = from.get(start + column${column});
</#list>
        for (int step = 0; step < steps; step++) {
<#list 0..<sideColumns as column>
          float ${name(0, 0, column)} = coming${column};
</#list>
          wrapped = wrapped == ny - 1 ? 0 : wrapped + 1;
          clamped = inGrid(y - ${levels - 1} + step, ny);
          int ahead = (bottom == 2 ? wrapped : clamped) * nx;
<#list 0..<sideColumns as column>
          coming${column} = from.get(ahead + column${column});
</#list>
<@advance row=0 levels=levels columns=sideColumns atSides=true/>
          int out = (y + step - ${2 * levels}) * nx + x + own;
          if (step >= ${2 * levels}) {
<#list 0..<sideColumns as column>
            if (own < ${sideValid - column} & x + own < xEnd - ${column}) {
              to.set(out + ${column}, ${name(0, levels, column)});
            }
</#list>
          }
<@rowsHandedOn levels sideColumns 1/>
        }
      }
    }
  }
</#list>
</#list>
}
