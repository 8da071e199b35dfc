package funnel.heat;

import funnel.operation.Device;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;

/**
 * The change of each node in the next step, in {@link HeatArrays#NEXT}; the field is unchanged. A
 * later reduction counts the run.
 *
 * @param id its name
 * @param grid what the step depends on
 * @param method how a device computes it
 * @param rowsAtOnce how a thread marches
 */
record HeatChange(String id, HeatGrid grid, HeatStepper method, boolean rowsAtOnce)
    implements Primitive {

  @Override
  public Step in(Setting setting) {
    Device device = setting.device();
    HeatGrid within = grid.within(setting.most());
    boolean atOnce = device == null ? rowsAtOnce : HeatSteps.rowsAtOnce(device);
    return HeatLaunches.state(Step.of(this, setting), within)
        .changes(HeatArrays.NEXT)
        .onDevice(
            launches ->
                new HeatLaunches(launches, within)
                    .between(HeatArrays.FIELD, HeatArrays.NEXT)
                    .step("step", method, atOnce)
                    .distance("distance"))
        .onJvm(run -> HeatLoops.of(grid.type()).change(within, HeatArrays.of(run)));
  }
}
