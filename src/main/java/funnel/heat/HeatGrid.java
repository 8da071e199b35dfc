package funnel.heat;

import funnel.operator.ElementType;
import java.util.List;

/**
 * What the steps of a heat equation depend on besides numbers.
 *
 * @param type of the field
 * @param nx nodes along x
 * @param ny nodes along y
 * @param sides kinds of the left, right, bottom and top side: {@link #DIRICHLET}, {@link #NEUMANN}
 *     or {@link #PERIODIC}
 * @param hasSource whether something is added to each node in each step
 * @param hasCells whether the diffusivity is given by cells
 * @param cx the equation's coefficient of that name, rounded to the type
 * @param k likewise; m is 2 + 2k
 */
record HeatGrid(
    ElementType type,
    int nx,
    int ny,
    List<Integer> sides,
    boolean hasSource,
    boolean hasCells,
    double cx,
    double k) {

  static final int LEFT = 0;
  static final int RIGHT = 1;
  static final int BOTTOM = 2;
  static final int TOP = 3;

  static final int DIRICHLET = 0;
  static final int NEUMANN = 1;
  static final int PERIODIC = 2;

  HeatGrid {
    sides = List.copyOf(sides);
  }

  /** The kind of a side. */
  int kind(int side) {
    return sides.get(side);
  }

  /** The number of nodes. */
  int nodes() {
    return nx * ny;
  }

  /**
   * A part of the grid whose nodes and faces are at most {@code most} each, as nearly square as the
   * grid allows.
   *
   * @param most 4 or more
   */
  HeatGrid within(int most) {
    if ((nx + 1L) * (ny + 1L) <= most) {
      return this;
    }
    int side = (int) Math.sqrt(most);
    int width = Math.min(nx, Math.max(side, most / (int) Math.min(ny + 1L, most)) - 1);
    int height = Math.min(ny, most / (Math.max(1, width) + 1) - 1);
    return new HeatGrid(
        type, Math.max(1, width), Math.max(1, height), sides, hasSource, hasCells, cx, k);
  }
}
