package funnel.transform;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/**
 * Differences of neighbours, {@code y[i] = x[i] - x[i - 1]} and {@code y[0] = x[0]}: see {@link
 * AdjacentDifference}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param input the input
 * @param type of the input and the array
 * @param capacity the largest number of elements
 */
record AdjacentDifferenceStep(String id, String input, ElementType type, int capacity)
    implements Primitive {

  /** The JVM form, for any type. */
  interface Loops {
    /** Fills {@code differences}, which has {@code length} elements, like {@code values}. */
    void subtract(MemorySegment values, MemorySegment differences, int length);
  }

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(capacity);
    int tiles = Math.max(1, Math.ceilDiv(most, IntAdjacentDifferenceKernels.TILE));
    return Step.of(this, setting)
        .reads(
            "values",
            input,
            IntAdjacentDifferenceKernels.FROM_AT,
            IntAdjacentDifferenceKernels.LENGTH_AT)
        .writes("differences", id, type, most, input, IntAdjacentDifferenceKernels.TO_AT)
        .counts()
        .onDevice(
            launches ->
                launches
                    .kernels(IntAdjacentDifferenceKernels.class, type)
                    .launch(
                        "subtract",
                        "subtract",
                        Grid.of(tiles, IntAdjacentDifferenceKernels.THREADS)))
        .onJvm(
            run ->
                FunctionCopies.instance(
                        MethodHandles.lookup(),
                        Loops.class,
                        TwinClass.of(IntAdjacentDifferenceLoops.class, type))
                    .subtract(run.input(input), run.output(id), run.length(input)));
  }
}
