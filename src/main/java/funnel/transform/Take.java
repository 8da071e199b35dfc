package funnel.transform;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.invoke.MethodHandles;

/**
 * The second part of a {@link Gather}, over positions that are inside.
 *
 * @param id name of the array and, in its tasks' names, of the primitive
 * @param input the elements
 * @param positions the positions
 * @param refused the array of an {@link IndexCheck}
 * @param type of the elements and the array
 * @param capacity the most positions
 */
record Take(
    String id, String input, String positions, String refused, ElementType type, int capacity)
    implements Primitive {

  @Override
  public Layout layout() {
    return Layout.reads(refused, positions, input)
        .derives(0, positions)
        .derives(1, input)
        .writes(id, type, capacity, positions)
        .counts(id);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      0, // length
      0, // size
      lengths.offset(input),
      lengths.offset(positions),
      lengths.offset(id)
    };
  }

  @Override
  public void launch(Launches launches) {
    launches
        .array("values", input)
        .array("positions", positions)
        .array("refused", refused)
        .array("output", id)
        .add(
            "gather",
            TwinClass.of(MethodHandles.lookup(), IntGatherKernels.class, type),
            "gather",
            Grid.of(IntGatherKernels.tiles(capacity), IntGatherKernels.THREADS));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MoveLoops.of(type)
        .gather(
            run.input(input),
            run.length(input),
            run.input(positions),
            run.length(positions),
            run.output(id));
  }

  @Override
  public Primitive in(Setting setting) {
    return new Take(id, input, positions, refused, type, setting.capacity(capacity));
  }
}
