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
 * One {@link Reverse}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param input the input
 * @param type of the input and the array
 * @param capacity the largest number of elements
 */
record Turn(String id, String input, ElementType type, int capacity) implements Primitive {

  @Override
  public Layout layout() {
    return Layout.reads(input).derives(0, input).writes(id, type, capacity, input).counts(id);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {0, lengths.offset(input), lengths.offset(id)}; // 0: length
  }

  @Override
  public void launch(Launches launches) {
    launches
        .array("values", input)
        .array("output", id)
        .add(
            "reverse",
            TwinClass.of(MethodHandles.lookup(), IntReverseKernels.class, type),
            "reverse",
            Grid.of(IntGatherKernels.tiles(capacity), IntGatherKernels.THREADS));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MoveLoops.of(type).reverse(run.input(input), run.length(input), run.output(id));
  }

  @Override
  public Primitive in(Setting setting) {
    return new Turn(id, input, type, setting.capacity(capacity));
  }
}
