package funnel.heat;

import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;

/**
 * Sets the nodes of Dirichlet sides that have values, in {@link HeatArrays#FIELD}: a routine's work
 * between two steps.
 *
 * @param id name of the routine
 * @param grid the grid of the sides
 */
record HeatSides(String id, HeatGrid grid) implements Primitive {

  @Override
  public Step in(Setting setting) {
    HeatGrid within = grid.within(setting.most());
    String last = id + ".last";
    return HeatLaunches.state(Step.of(this, setting), within)
        .changes(HeatArrays.FIELD)
        .delivers("result", last, grid.type())
        .onDevice(
            launches ->
                new HeatLaunches(launches, within)
                    .between(HeatArrays.NEXT, HeatArrays.FIELD)
                    .setSides("set")
                    .deliver("delivered"))
        .onJvm(
            run -> {
              HeatLoops loops = HeatLoops.of(grid.type());
              HeatArrays arrays = HeatArrays.of(run);
              loops.setSides(within, arrays);
              run.deliver(last, loops.last(within, arrays));
            });
  }
}
