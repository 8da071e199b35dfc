package funnel.heat;

import java.util.List;
import java.util.Optional;

/**
 * How a heat equation is stepped: all that a run and its checkpoints must agree about, which is all
 * but its fields and how a device makes the steps.
 *
 * @param grid what kernels depend on
 * @param dx distance of nodes along x
 * @param dy likewise along y
 * @param dt time of a step
 * @param limit the largest stable dt
 * @param diffusivity of all nodes; NaN if it differs from cell to cell
 * @param sides left, right, bottom, top
 */
record HeatScheme(
    HeatGrid grid,
    double dx,
    double dy,
    double dt,
    double limit,
    double diffusivity,
    List<Side> sides) {

  /** A checkpoint of a run at a state. */
  HeatCheckpoint checkpoint(HeatSnapshot state) {
    return new HeatCheckpoint(
        state,
        dx,
        dy,
        dt,
        diffusivity,
        sides.stream().map(Side::kind).toList(),
        sides.stream().map(Side::flux).toList());
  }

  /** What is said of a checkpoint of another run, with both; nothing if it is of this one. */
  Optional<String> difference(HeatCheckpoint from) {
    List<Object> mine = numbers(checkpoint(from.state()));
    List<Object> theirs = numbers(from);
    return from.otherShape(grid.type(), grid.nx(), grid.ny())
        .or(
            () ->
                mine.equals(theirs)
                    ? Optional.empty()
                    : Optional.of(
                        "checkpoint of another run: expected dx, dy, dt, diffusivity, sides, fluxes %s, found %s"
                            .formatted(mine, theirs)));
  }

  private static List<Object> numbers(HeatCheckpoint of) {
    return List.of(of.dx(), of.dy(), of.dt(), of.diffusivity(), of.sides(), of.fluxes());
  }

  @Override
  public String toString() {
    return "heat equation on %d x %d nodes of %s, sides %s, dt=%s"
        .formatted(grid.nx(), grid.ny(), grid.type(), sides, dt);
  }
}
