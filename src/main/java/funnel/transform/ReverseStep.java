package funnel.transform;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;

/**
 * The elements in reverse order, {@code y[i] = x[n - 1 - i]}: see {@link Reverse}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param input the input
 * @param type of the input and the array
 * @param capacity the largest number of elements
 */
record ReverseStep(String id, String input, ElementType type, int capacity) implements Primitive {

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(capacity);
    return Step.of(this, setting)
        .reads("values", input, IntReverseKernels.FROM_AT, IntReverseKernels.LENGTH_AT)
        .writes("output", id, type, most, input, IntReverseKernels.TO_AT)
        .counts()
        .onDevice(
            launches ->
                launches
                    .kernels(IntReverseKernels.class, type)
                    .launch(
                        "reverse",
                        "reverse",
                        Grid.of(IntGatherKernels.tiles(most), IntGatherKernels.THREADS)))
        .onJvm(
            run -> MoveLoops.of(type).reverse(run.input(input), run.length(input), run.output(id)));
  }
}
