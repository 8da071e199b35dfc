package funnel.docs;

import funnel.Funnel;
import funnel.heat.FloatHeatStencil;
import funnel.heat.Heat2D;
import funnel.heat.HeatGrid;
import funnel.heat.HeatProblem;
import funnel.heat.HeatStepper;
import funnel.heat.Side;
import funnel.kernel.KernelTask;
import funnel.operation.Launches;
import funnel.operator.ElementType;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** A heat equation's steps by a kernel of the user's. */
final class HeatStepperSnippets {

  private HeatStepperSnippets() {}

  // @start region="kernel"
  /** One step of a field of floats: a thread for each node. */
  static void ofNodes(
      KernelContext context,
      IntArray shape,
      FloatArray from,
      FloatArray to,
      FloatArray coefficients,
      FloatArray source,
      int shapeAt,
      int hasSource) {
    int at = context.globalIdx;
    int nx = shape.get(shapeAt);
    int ny = shape.get(shapeAt + HeatStepper.NY_AT);
    if (at < nx * ny) {
      int j = at / nx;
      int i = at - j * nx;
      float value =
          FloatHeatStencil.outer(
              shape, from, coefficients, source, shapeAt, i, j, nx, ny, hasSource);
      to.set(at, value);
    }
  }

  // @end

  // @start region="stepper"
  /** A thread for each node, in blocks of some threads. */
  record OfNodes(int threads) implements HeatStepper {
    @Override
    public String label() {
      return "of-nodes";
    }

    @Override
    public boolean takes(HeatGrid grid) {
      return grid.type() == ElementType.FLOAT && !grid.hasCells();
    }

    @Override
    public void launch(Launches launches, String task, HeatGrid grid, boolean rowsAtOnce) {
      int blocks = Math.ceilDiv(grid.nx() * grid.ny(), threads);
      launches.add(task, HeatStepperSnippets.class, "ofNodes", KernelTask.Grid.of(blocks, threads));
    }
  }

  static float[] after(Funnel funnel, int steps) {
    HeatProblem.Builder plate =
        HeatProblem.builder(40, 20).left(Side.wall(1)).right(Side.dirichlet()).source((x, y) -> y);
    try (Heat2D heat = plate.method(new OfNodes(64)).build().open(funnel)) {
      return heat.step(steps).toFloats();
    }
  }
  // @end
}
