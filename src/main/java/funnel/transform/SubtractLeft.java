package funnel.transform;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/**
 * One {@link AdjacentDifference}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param input the input
 * @param type of the input and the array
 * @param capacity the largest number of elements
 */
record SubtractLeft(String id, String input, ElementType type, int capacity) implements Primitive {

  /** The JVM form, for any type. */
  interface Loops {
    /** Fills {@code differences}, which has {@code length} elements, like {@code values}. */
    void subtract(MemorySegment values, MemorySegment differences, int length);
  }

  @Override
  public Layout layout() {
    return Layout.reads(input).derives(1, input).writes(id, type, capacity, input).counts(id);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {lengths.offset(input), 0, lengths.offset(id)}; // 0: length
  }

  @Override
  public void launch(Launches launches) {
    int tiles = Math.max(1, Math.ceilDiv(capacity, IntSubtractLeftKernels.TILE));
    launches
        .array("values", input)
        .array("differences", id)
        .add(
            "subtract",
            TwinClass.of(MethodHandles.lookup(), IntSubtractLeftKernels.class, type),
            "subtract",
            Grid.of(tiles, IntSubtractLeftKernels.THREADS));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    FunctionCopies.instance(
            MethodHandles.lookup(),
            Loops.class,
            TwinClass.of(MethodHandles.lookup(), IntSubtractLeftLoops.class, type))
        .subtract(run.input(input), run.output(id), run.length(input));
  }

  @Override
  public Primitive in(Setting setting) {
    return new SubtractLeft(id, input, type, setting.capacity(capacity));
  }
}
