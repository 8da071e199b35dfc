package funnel.heat;

import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;

/**
 * Sets the nodes of Dirichlet sides that have values, in {@link HeatArrays#FIELD}: a routine's work
 * between two steps.
 *
 * @param id name of the routine
 * @param grid the grid of the sides
 */
record HeatSides(String id, HeatGrid grid) implements Primitive {

  private String last() {
    return id + ".last";
  }

  @Override
  public Layout layout() {
    return Layout.reads(HeatArrays.NAMES.toArray(String[]::new))
        .changes(HeatArrays.FIELD)
        .delivers(last(), grid.type())
        .checkedWith(HeatSteps.CHECKED);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return HeatLaunches.shape(grid);
  }

  @Override
  public void launch(Launches launches) {
    new HeatLaunches(launches, grid)
        .between(HeatArrays.NEXT, HeatArrays.FIELD)
        .setSides("set")
        .deliver("delivered", last());
  }

  @Override
  public Primitive in(Setting setting) {
    return new HeatSides(id, grid.within(setting.most()));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    HeatLoops loops = HeatLoops.of(grid.type());
    HeatArrays arrays = HeatArrays.of(run);
    loops.setSides(grid, arrays);
    run.deliver(last(), loops.last(grid, arrays));
  }
}
