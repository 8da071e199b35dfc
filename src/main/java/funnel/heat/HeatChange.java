package funnel.heat;

import funnel.operation.Device;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;

/**
 * The change of each node in the next step, in {@link HeatArrays#NEXT}; the field is unchanged. A
 * later reduction counts the run.
 *
 * @param id its name
 * @param grid what the step depends on
 * @param method how a device computes it
 * @param rowsAtOnce how method 5 marches
 */
record HeatChange(String id, HeatGrid grid, HeatMethod method, boolean rowsAtOnce)
    implements Primitive {

  @Override
  public Layout layout() {
    return Layout.reads(HeatArrays.NAMES.toArray(String[]::new))
        .changes(HeatArrays.NEXT)
        .checkedWith(HeatSteps.CHECKED);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return HeatLaunches.shape(grid);
  }

  @Override
  public void launch(Launches launches) {
    new HeatLaunches(launches, grid)
        .between(HeatArrays.FIELD, HeatArrays.NEXT)
        .step("step", method, rowsAtOnce)
        .distance("distance");
  }

  @Override
  public Primitive in(Setting setting) {
    Device device = setting.device();
    return new HeatChange(
        id,
        grid.within(setting.most()),
        method,
        device == null ? rowsAtOnce : HeatSteps.rowsAtOnce(device));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    HeatLoops.of(grid.type()).change(grid, HeatArrays.of(run));
  }
}
