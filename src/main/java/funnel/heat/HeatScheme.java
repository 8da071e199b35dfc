package funnel.heat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The scheme of a heat equation: everything on which a run and its checkpoints must agree. That is
 * all but its fields and how a device computes the steps.
 *
 * @param grid what kernels depend on
 * @param dx distance of nodes along x
 * @param dy distance of nodes along y
 * @param dt time of a step
 * @param diffusivity the largest diffusivity
 * @param mayBeUnstable whether dt may be above the limit of stability
 * @param sides left, right, bottom, top
 * @param checksums checksums of the source and the diffusivities by cell
 */
record HeatScheme(
    HeatGrid grid,
    double dx,
    double dy,
    double dt,
    double diffusivity,
    boolean mayBeUnstable,
    List<Side> sides,
    List<Long> checksums) {

  /**
   * Checks the time of a step.
   *
   * @throws UnstableStepException if it is above the limit
   */
  HeatScheme {
    sides = List.copyOf(sides);
    checksums = List.copyOf(checksums);
    double limit = HeatNumbers.limit(diffusivity, dx, dy, grid.nx(), grid.ny(), sides);
    if (dt > limit && !mayBeUnstable) {
      throw new UnstableStepException(dt, limit, diffusivity, dx, dy, sides);
    }
  }

  /** The largest stable dt. */
  double limit() {
    return HeatNumbers.limit(diffusivity, dx, dy, grid.nx(), grid.ny(), sides);
  }

  /**
   * This scheme with another condition at a side.
   *
   * @throws UnstableStepException if dt is above the limit then
   * @throws IllegalArgumentException if kernels were chosen for another kind of side, or a profile
   *     has another length
   */
  HeatScheme with(int place, Side side) {
    String name = HeatGrid.SIDES.get(place);
    int code = grid.kind(place);
    boolean isOneForAll = code == HeatGrid.PROFILE && side.code() == HeatGrid.GHOST;
    if (side.code() != code && !isOneForAll) {
      throw new IllegalArgumentException(
          "side %s was built as %s and cannot become %s: a Dirichlet or periodic side keeps its kind, and a profile needs a side that was built with one"
              .formatted(name, sides.get(place), side));
    }
    side.requireLength(name, grid.nodesOf(place));
    List<Side> all = new ArrayList<>(sides);
    all.set(place, side);
    return new HeatScheme(grid, dx, dy, dt, diffusivity, mayBeUnstable, all, checksums);
  }

  /** This scheme with the sides of a checkpoint of this run. */
  HeatScheme at(HeatCheckpoint from) {
    return new HeatScheme(grid, dx, dy, dt, diffusivity, mayBeUnstable, from.sides(), checksums);
  }

  /** This scheme with the source and the diffusivities by cell that kernels have. */
  HeatScheme of(HeatArrays arrays) {
    return with(
        List.of(
            HeatNumbers.checksum(arrays.source()),
            HeatNumbers.checksum(arrays.facesX(), arrays.facesY())));
  }

  /** This scheme with another source. */
  HeatScheme withSource(MemorySegment source) {
    return with(List.of(HeatNumbers.checksum(source), checksums.get(1)));
  }

  private HeatScheme with(List<Long> changed) {
    return new HeatScheme(grid, dx, dy, dt, diffusivity, mayBeUnstable, sides, changed);
  }

  /**
   * The array {@link HeatArrays#coefficients}.
   *
   * @throws IllegalArgumentException if a number is too large for the type
   */
  MemorySegment coefficients() {
    double[] numbers = new double[grid.coefficients()];
    numbers[0] = grid.cx();
    numbers[1] = grid.k();
    numbers[2] = -(2 + 2 * grid.k());
    for (int place = 0; place < sides.size(); place++) {
      Side side = sides.get(place);
      double distance = HeatGrid.isAcrossX(place) ? dx : dy;
      numbers[HeatArrays.ADDENDS + place] = fitting(place, side.addend(0, distance));
      numbers[HeatArrays.FACTORS + place] = fitting(place, side.factor(distance));
      int at = grid.valuesOf(place);
      for (int node = 0; node < grid.nodesOf(place) && at + node < numbers.length; node++) {
        numbers[at + node] = fitting(place, side.addend(node, distance));
      }
    }
    return HeatNumbers.of(grid.type(), numbers);
  }

  private double fitting(int place, double value) {
    return HeatNumbers.fitting(grid.type(), "side " + HeatGrid.SIDES.get(place), value);
  }

  /** A checkpoint of a run at a state. */
  HeatCheckpoint checkpoint(HeatSnapshot state) {
    return new HeatCheckpoint(
        state, dx, dy, dt, grid.hasCells() ? Double.NaN : diffusivity, sides, checksums);
  }

  /** The message about a checkpoint of another run, with both; empty if it is of this one. */
  Optional<String> difference(HeatCheckpoint from) {
    return from.otherShape(grid.type(), grid.nx(), grid.ny())
        .or(
            () ->
                other(
                    "dx, dy, dt, diffusivity, sides",
                    numbers(checkpoint(from.state())),
                    numbers(from)))
        .or(
            () ->
                from.checksums().isEmpty()
                    ? Optional.empty()
                    : other(
                        "checksums of source and diffusivities by cell",
                        checksums,
                        from.checksums()));
  }

  private static Optional<String> other(String what, Object expected, Object found) {
    return expected.equals(found)
        ? Optional.empty()
        : Optional.of(
            "checkpoint of another run: expected %s %s, found %s".formatted(what, expected, found));
  }

  private static List<Object> numbers(HeatCheckpoint of) {
    return List.of(of.dx(), of.dy(), of.dt(), of.diffusivity(), of.sides());
  }

  @Override
  public String toString() {
    return "heat equation on %s x %s nodes of %s, sides %s, dt=%s"
        .formatted(grid.nx(), grid.ny(), grid.type(), sides, dt);
  }
}
