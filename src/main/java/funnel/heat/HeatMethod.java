package funnel.heat;

import funnel.operation.Launches;
import funnel.operator.ElementType;

/**
 * The methods by which a device computes the steps of a heat equation. All give the same bits; they
 * differ in speed. The JVM has a single form.
 *
 * {@snippet class="funnel.docs.HeatSnippets" region="method"}
 */
public enum HeatMethod implements HeatStepper {
  /** Each thread marches along y with three nodes of its column in registers. */
  REGISTER_MARCH("register-march"),
  /**
   * Each warp marches along y with several steps at a time in registers. Only for floats, one
   * diffusivity, no source, no profile but of Dirichlet sides, and at most 2^30 nodes; remaining
   * single steps use the other method.
   */
  REGISTER_STREAM("register-stream");

  private final String label;

  HeatMethod(String label) {
    this.label = label;
  }

  @Override
  public String label() {
    return label;
  }

  /** The fastest method for a grid on every measured device: that with the least traffic. */
  static HeatMethod fastest(HeatGrid grid) {
    return REGISTER_STREAM.takes(grid) ? REGISTER_STREAM : REGISTER_MARCH;
  }

  @Override
  public boolean takes(HeatGrid grid) {
    return this == REGISTER_MARCH
        || grid.type() == ElementType.FLOAT
            && !grid.hasCells()
            && !grid.hasSource()
            && !grid.sides().contains(HeatGrid.PROFILE)
            && grid.nodes() <= FloatHeatStream.MOST_NODES;
  }

  @Override
  public void launch(Launches launches, String task, HeatGrid grid, boolean rowsAtOnce) {
    new HeatLaunches(launches, grid).march(task, rowsAtOnce);
  }
}
