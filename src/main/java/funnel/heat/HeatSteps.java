package funnel.heat;

import funnel.kernel.KernelTask;
import funnel.operation.Device;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import java.util.List;

/**
 * Consecutive steps of a heat equation: a routine's work, which begins and ends with the field in
 * {@link HeatArrays#FIELD}.
 *
 * @param id name of the routine
 * @param grid what the steps depend on
 * @param method how a device computes them
 * @param rowsAtOnce how the methods of registers march
 * @param steps 1, or an even number
 */
record HeatSteps(String id, HeatGrid grid, HeatStepper method, boolean rowsAtOnce, int steps)
    implements Primitive {

  /* Launches go from the field to the other array and back. An even number of steps is an even
   * number of launches, each with as many steps as possible; a single step is copied back.
   *
   * A routine has many launches for the sake of small grids, where a launch takes less time than
   * the host needs to begin and end a run. All launches have the same kernel, which is compiled
   * once if TornadoVM allows that.
   */

  /** Steps per launch, if a launch computes several. */
  private static final List<Integer> LEVELS = List.of(10, 8, 4, 2);

  /** The longest routine that is checked; longer ones repeat the launches of shorter ones. */
  private static final int LONGEST_CHECKED = 20;

  /** Steps that are checked instead of a longer routine's. */
  private static final int CHECKED_INSTEAD = 2;

  /** Nodes in a check of kernels, so that there are several of all tiles and chunks. */
  static final int CHECKED = 90_000;

  HeatSteps {
    if (steps < 1 || steps > 1 && steps % 2 == 1) {
      throw new IllegalArgumentException("1 or an even number of steps expected: steps=" + steps);
    }
  }

  @Override
  public Step in(Setting setting) {
    Device device = setting.device();
    boolean isCut = setting.most() < Integer.MAX_VALUE;
    HeatSteps form =
        new HeatSteps(
            id,
            grid.within(setting.most()),
            method,
            device == null ? rowsAtOnce : rowsAtOnce(device),
            isCut && steps > LONGEST_CHECKED ? CHECKED_INSTEAD : steps);
    return HeatLaunches.state(Step.of(this, setting), form.grid)
        .changes(HeatArrays.FIELD) // the other array is undefined afterwards
        .delivers("result", last(), grid.type())
        .onDevice(form::march)
        .onJvm(form::march);
  }

  private String last() {
    return id + ".last";
  }

  private void march(Launches launches) {
    HeatLaunches heat = new HeatLaunches(launches, grid);
    int levels = levels();
    for (int pass = 0; pass < steps / levels; pass++) {
      String task = KernelTask.repetition("pass", pass);
      boolean isBack = pass % 2 == 1;
      heat.between(
          isBack ? HeatArrays.NEXT : HeatArrays.FIELD, isBack ? HeatArrays.FIELD : HeatArrays.NEXT);
      if (levels == 1) {
        heat.step(task, method, rowsAtOnce);
      } else {
        heat.pass(task, levels, rowsAtOnce);
      }
    }
    heat.between(HeatArrays.NEXT, HeatArrays.FIELD);
    if (steps == 1) {
      heat.copy("copy");
    }
    heat.deliver("delivered");
  }

  /**
   * Whether a march loads all rows of a chunk before it computes any. It needs more registers,
   * which is slower by 3 % on the ptx backend and faster by 7 % on the cuda backend. For {@link
   * HeatMethod#REGISTER_STREAM} the cuda backend has kernels with long loops, the ptx backend with
   * short ones, faster by 7 %.
   */
  static boolean rowsAtOnce(Device device) {
    return device.backend().equals("cuda");
  }

  /** Steps per launch. */
  private int levels() {
    if (method != HeatMethod.REGISTER_STREAM) {
      return 1;
    }
    return LEVELS.stream().filter(levels -> steps % (2 * levels) == 0).findFirst().orElse(1);
  }

  private void march(JvmRun run) {
    HeatLoops loops = HeatLoops.of(grid.type());
    HeatArrays arrays = HeatArrays.of(run);
    loops.advance(grid, arrays, steps);
    run.deliver(last(), loops.last(grid, arrays));
  }
}
