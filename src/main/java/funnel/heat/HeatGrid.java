package funnel.heat;

import funnel.operator.ElementType;
import java.util.List;

/**
 * What the steps of a heat equation depend on besides numbers.
 *
 * {@snippet class="funnel.docs.HeatStepperSnippets" region="stepper"}
 *
 * @param type the type of the field
 * @param nx nodes along x
 * @param ny nodes along y
 * @param sides kinds of the left, right, bottom and top side: 0 if nodes keep their values, 1 if
 *     they have ghosts, 2 if it is periodic, 3 if the ghosts have numbers by node
 * @param hasSource whether each step adds something to each node
 * @param hasCells whether the diffusivity is given by cells
 * @param cx the equation's coefficient of that name, rounded to the type
 * @param k the equation's coefficient k, rounded to the type; m is 2 + 2k
 */
public record HeatGrid(
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

  static final List<String> SIDES = List.of("left", "right", "bottom", "top");

  /** Nodes keep their values. */
  static final int DIRICHLET = 0;

  /** Beyond each node is a ghost, computed from it with the same numbers for the whole side. */
  static final int GHOST = 1;

  /** Beyond it are the opposite side's nodes. */
  static final int PERIODIC = 2;

  /** Beyond each node is a ghost, computed from it with a number of its own. */
  static final int PROFILE = 3;

  /** Copies the sides. */
  public HeatGrid {
    sides = List.copyOf(sides);
  }

  /** The kind of a side. */
  int kind(int side) {
    return sides.get(side);
  }

  /** Whether the distances across a side are along x. */
  static boolean isAcrossX(int side) {
    return side == LEFT || side == RIGHT;
  }

  /** The number of a side's nodes. */
  int nodesOf(int side) {
    return isAcrossX(side) ? ny : nx;
  }

  /** The index of a side's values among the coefficients, if it has any. */
  int valuesOf(int side) {
    int at = HeatArrays.COUNT;
    for (int before = 0; before < side; before++) {
      at += nodesOf(before);
    }
    return at;
  }

  /** The number of coefficients; it includes values by node if sides have, or may set, them. */
  int coefficients() {
    return sides.contains(DIRICHLET) || sides.contains(PROFILE)
        ? valuesOf(SIDES.size())
        : HeatArrays.COUNT;
  }

  /** The number of nodes. */
  int nodes() {
    return nx * ny;
  }

  /**
   * A part of the grid, as nearly square as possible, with at most {@code mostOfAll} nodes, faces
   * and coefficients each.
   *
   * @param mostOfAll 4 or more
   */
  HeatGrid within(int mostOfAll) {
    int most = Math.max(4, mostOfAll - HeatArrays.COUNT); // a row also needs its coefficients
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
