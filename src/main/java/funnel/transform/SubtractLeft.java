package funnel.transform;

import funnel.engine.DeviceArrays;
import funnel.engine.JvmRun;
import funnel.engine.Launches;
import funnel.engine.Primitive;
import funnel.jit.FunctionCopies;
import funnel.jit.KernelTask;
import funnel.jit.KernelTask.Grid;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * One {@link AdjacentDifference}.
 *
 * @param id name of the array and, in its tasks' names, of the primitive
 * @param input the input
 * @param type of the input and the array
 * @param capacity the most elements
 */
record SubtractLeft(String id, String input, ElementType type, int capacity) implements Primitive {

  /** The JVM form, whatever its type. */
  interface Loops {
    /** Fills {@code differences}, which has {@code length} elements as {@code values} has. */
    void subtract(MemorySegment values, MemorySegment differences, int length);
  }

  /** The result whose runs are counted; there is no value to deliver. */
  private String done() {
    return id + ".done";
  }

  @Override
  public String signature() {
    return "adjacent difference of " + type;
  }

  @Override
  public List<String> inputs() {
    return List.of(input);
  }

  @Override
  public List<Slot> arrays() {
    return List.of(new Slot(id, type, capacity));
  }

  @Override
  public int lengthOf(String array, Lengths lengths) {
    return lengths.length(input);
  }

  @Override
  public List<Slot> results() {
    return List.of(new Slot(done(), ElementType.INT, 1));
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {lengths.offset(input), lengths.length(input), lengths.offset(id)};
  }

  @Override
  public List<KernelTask> tasks(DeviceArrays arrays) {
    int tiles = Math.max(1, Math.ceilDiv(capacity, IntSubtractLeftKernels.TILE));
    return new Launches(this, arrays)
        .array("values", input)
        .array("differences", id)
        .result("done", done())
        .add(
            "subtract",
            TwinClass.of(MethodHandles.lookup(), IntSubtractLeftKernels.class, type),
            "subtract",
            Grid.of(tiles, IntSubtractLeftKernels.THREADS))
        .tasks();
  }

  @Override
  public void runOnJvm(JvmRun run) {
    FunctionCopies.instance(
            MethodHandles.lookup(),
            Loops.class,
            TwinClass.of(MethodHandles.lookup(), IntSubtractLeftLoops.class, type))
        .subtract(run.input(input), run.output(id), run.length(input));
    run.deliver(done(), 0);
  }

  @Override
  public Primitive withCapacity(int most) {
    return new SubtractLeft(id, input, type, Math.min(capacity, most));
  }
}
