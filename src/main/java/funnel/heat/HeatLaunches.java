package funnel.heat;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Launches;
import funnel.operation.Step;
import java.lang.invoke.MethodHandles;

/**
 * Launches of the kernels over a grid: node (i, j) is at index {@code j * nx + i} of the fields.
 */
final class HeatLaunches {

  /* Where kernels find the numbers of nodes, and the kinds of the sides. */

  static final int NX_AT = 0;
  static final int NY_AT = 1;
  static final int LEFT_AT = 2;
  static final int RIGHT_AT = 3;
  static final int BOTTOM_AT = 4;
  static final int TOP_AT = 5;

  /** The largest number of blocks along y on a device. */
  private static final int MOST_UP = 65535;

  /** The most nodes along an axis, so that places a few tiles further are ints too. */
  private static final int MOST_NODES = 1 << 30;

  private final HeatGrid grid;
  private final Launches launches;

  /**
   * The launches of a primitive over {@link HeatArrays}.
   *
   * @param launches the launches to add to
   * @param grid the grid, or the largest that the launches are for
   */
  HeatLaunches(Launches launches, HeatGrid grid) {
    this.grid = grid;
    this.launches = launches.value("hasSource", grid.hasSource() ? 1 : 0);
  }

  /** States the arrays and the facts about a grid that kernels need. */
  static Step state(Step step, HeatGrid grid) {
    HeatArrays.NAMES.forEach(name -> step.reads(name, name));
    return step.number(NX_AT, grid.nx())
        .number(NY_AT, grid.ny())
        .number(LEFT_AT, grid.kind(HeatGrid.LEFT))
        .number(RIGHT_AT, grid.kind(HeatGrid.RIGHT))
        .number(BOTTOM_AT, grid.kind(HeatGrid.BOTTOM))
        .number(TOP_AT, grid.kind(HeatGrid.TOP))
        .checkedWith(HeatSteps.CHECKED);
  }

  /** Sets which array has the field before, and which the field after, for later launches. */
  HeatLaunches between(String from, String to) {
    launches.array("from", from).array("to", to);
    return this;
  }

  private Class<?> twin(Class<?> kernels) {
    return TwinClass.of(MethodHandles.lookup(), kernels, grid.type());
  }

  private int lead() {
    return 16 / grid.type().bytes(); // the kernels' LEAD
  }

  /**
   * Adds a launch that computes a single step.
   *
   * @param rowsAtOnce whether a thread that marches loads all its rows before it computes one, or
   *     in groups; not for diffusivities by cell
   */
  HeatLaunches step(String task, HeatStepper method, boolean rowsAtOnce) {
    if (grid.nx() > MOST_NODES || grid.ny() > MOST_NODES) {
      throw new IllegalArgumentException(
          "at most %s nodes along an axis: nx=%s, ny=%s"
              .formatted(MOST_NODES, grid.nx(), grid.ny()));
    }
    method.launch(launches, task, grid, rowsAtOnce);
    return this;
  }

  /** Adds the launch of a step by {@link HeatMethod#REGISTER_MARCH}. */
  void march(String task, boolean rowsAtOnce) {
    int width = FloatHeatMarchKernels.WIDTH;
    int height = FloatHeatMarchKernels.HEIGHT;
    int group = FloatHeatMarchKernels.GROUP;
    int least = Math.ceilDiv(grid.ny(), MOST_UP * height);
    int chunk = Math.max(FloatHeatMarchKernels.CHUNK, Math.ceilDiv(least, group) * group);
    boolean isAtOnce = rowsAtOnce && chunk == FloatHeatMarchKernels.CHUNK;
    launches
        .value("chunk", chunk)
        .add(
            task,
            twin(FloatHeatMarchKernels.class),
            grid.hasCells() ? "marchOfCells" : isAtOnce ? "marchAtOnce" : "march",
            new Grid(
                Math.ceilDiv(grid.nx() + lead(), width),
                width,
                Math.ceilDiv(grid.ny(), chunk * height),
                height));
  }

  /**
   * Adds a launch that computes several steps by {@link HeatMethod#REGISTER_STREAM}.
   *
   * @param levels the number of steps
   * @param rowsAtOnce as for a single step; if true, the kernels have long loops
   */
  HeatLaunches pass(String task, int levels, boolean rowsAtOnce) {
    FloatHeatStream.addPass(launches, task, levels, !rowsAtOnce, grid);
    return this;
  }

  private Grid linear(int nodes, int threads, int each) {
    return Grid.of(Math.ceilDiv(nodes, threads * each), threads);
  }

  /** Adds a copy of the field before to the field after. */
  HeatLaunches copy(String task) {
    int nodes = Math.multiplyExact(grid.nx(), grid.ny()) + lead();
    Grid blocks = linear(nodes, FloatHeatKernels.COPY_THREADS, FloatHeatKernels.COPIED);
    launches.add(task, twin(FloatHeatKernels.class), "copyField", blocks);
    return this;
  }

  /** Adds a launch that sets the nodes of Dirichlet sides in the field after. */
  HeatLaunches setSides(String task) {
    int nodes = 2 * (grid.nx() + grid.ny());
    launches.add(
        task,
        twin(FloatHeatKernels.class),
        "setSides",
        linear(nodes, FloatHeatKernels.COPY_THREADS, 1));
    return this;
  }

  /** Adds a launch that delivers the last node of the field after, and counts the run after it. */
  HeatLaunches deliver(String task) {
    launches.add(task, twin(FloatHeatKernels.class), "deliver", Grid.of(1, FloatHeatKernels.WARP));
    return this;
  }

  /** Adds a launch that replaces the field after by its distance from the field before. */
  HeatLaunches distance(String task) {
    int nodes = Math.multiplyExact(grid.nx(), grid.ny());
    Grid blocks = linear(nodes, FloatHeatChangeKernels.THREADS, FloatHeatChangeKernels.EACH);
    launches.add(task, twin(FloatHeatChangeKernels.class), "distanceOfFields", blocks);
    return this;
  }
}
