package funnel.heat;

import funnel.Array;
import funnel.Doubles;
import funnel.Floats;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import java.lang.foreign.MemorySegment;

/**
 * Copies a kept array to {@link HeatArrays#FIELD}, and sets the nodes of Dirichlet sides that have
 * values.
 *
 * @param id name of the routine
 * @param grid the grid
 */
record HeatStart(String id, HeatGrid grid) implements Primitive {

  static final String GIVEN = "given";

  @Override
  public Step in(Setting setting) {
    HeatGrid within = grid.within(setting.most());
    String last = id + ".last";
    return HeatLaunches.state(Step.of(this, setting), within)
        .borrows(GIVEN, GIVEN)
        .changes(HeatArrays.FIELD)
        .delivers("result", last, grid.type())
        .onDevice(
            launches -> {
              HeatLaunches heat =
                  new HeatLaunches(launches, within).between(GIVEN, HeatArrays.FIELD).copy("copy");
              if (grid.sides().contains(HeatGrid.DIRICHLET)) {
                heat.setSides("set");
              }
              heat.deliver("delivered");
            })
        .onJvm(
            run -> {
              HeatLoops loops = HeatLoops.of(grid.type());
              HeatArrays arrays = HeatArrays.of(run);
              long bytes = (long) within.nodes() * grid.type().bytes();
              MemorySegment.copy(run.input(GIVEN), 0, arrays.field(), 0, bytes);
              loops.setSides(within, arrays);
              run.deliver(last, loops.last(within, arrays));
            });
  }

  /** Requires finite numbers, which are looked at where they are. */
  static void requireFinite(Array<?, ?> field, HeatGrid grid) {
    int at =
        switch (field) {
          case Floats floats -> floats.findFirst(v -> !(Math.abs(v) <= Float.MAX_VALUE));
          case Doubles doubles -> doubles.findFirst(v -> !(Math.abs(v) <= Double.MAX_VALUE));
          default -> throw new IllegalArgumentException("no field: " + field);
        };
    if (at >= 0) {
      Object value = java.lang.reflect.Array.get(field.slice(at, at + 1).toArray(), 0);
      throw new HeatFieldException(
          "initial field",
          at % grid.nx(),
          at / grid.nx(),
          ((Number) value).doubleValue(),
          "a finite number of type " + grid.type());
    }
  }
}
