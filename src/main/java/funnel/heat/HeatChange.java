package funnel.heat;

import funnel.engine.Device;
import funnel.engine.DeviceArrays;
import funnel.engine.JvmRun;
import funnel.engine.Primitive;
import funnel.jit.KernelTask;
import java.util.List;
import java.util.Locale;

/**
 * By how much the next step will change each node, in {@link HeatArrays#NEXT}; the field stays as
 * it is. A reduction behind it counts the run.
 *
 * @param id its name
 * @param grid what the step depends on
 * @param method how a device makes it
 * @param isNamed whether the caller named the method
 * @param rowsAtOnce how method 5 marches
 */
record HeatChange(String id, HeatGrid grid, HeatMethod method, boolean isNamed, boolean rowsAtOnce)
    implements Primitive {

  @Override
  public String signature() {
    return "heat change %s by %s, sides %s%s%s"
        .formatted(
            grid.type().toString().toLowerCase(Locale.ROOT),
            method.label(),
            grid.sides(),
            grid.hasSource() ? ", source" : "",
            grid.hasCells() ? ", cells" : "");
  }

  @Override
  public List<String> inputs() {
    return HeatArrays.NAMES;
  }

  @Override
  public List<String> changedInputs() {
    return List.of(HeatArrays.NEXT);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return HeatLaunches.shape(grid);
  }

  @Override
  public List<KernelTask> tasks(DeviceArrays arrays) {
    return new HeatLaunches(this, arrays, grid)
        .between(HeatArrays.FIELD, HeatArrays.NEXT)
        .step("step", method, rowsAtOnce)
        .distance("distance")
        .tasks();
  }

  @Override
  public void runOnJvm(JvmRun run) {
    HeatLoops.of(grid.type()).change(grid, HeatArrays.of(run));
  }

  @Override
  public Primitive on(Device device) {
    HeatMethod chosen = isNamed ? method : HeatChoice.of(device, grid);
    return new HeatChange(id, grid, chosen, isNamed, HeatChoice.rowsAtOnce(device));
  }

  @Override
  public int checkedElements() {
    return HeatSteps.CHECKED;
  }

  @Override
  public Primitive withCapacity(int capacity) {
    return new HeatChange(id, grid.within(capacity), method, isNamed, rowsAtOnce);
  }
}
