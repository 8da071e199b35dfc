package funnel.transform;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import org.jspecify.annotations.Nullable;

/**
 * A primitive for the elements at positions that are known to be inside, {@code y[i] =
 * x[positions[i]]}. {@link Gather} is the operation.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="take"}
 *
 * <p>Without positions the array is empty. The array must not overlap the inputs.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param input the elements
 * @param positions the positions
 * @param refused the array in which an {@link IndexCheckStep} of the positions reports, if they
 *     need one
 * @param source if they need no check, the array that the positions come from, which is as long as
 *     the elements
 * @param type of the elements and the array
 * @param capacity the largest number of positions
 */
public record GatherStep(
    String id,
    String input,
    String positions,
    @Nullable String refused,
    @Nullable String source,
    ElementType type,
    int capacity)
    implements Primitive {

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(capacity);
    Step step =
        Step.of(this, setting)
            .reads(
                "positions",
                positions,
                IntGatherKernels.POSITIONS_FROM_AT,
                IntGatherKernels.LENGTH_AT)
            .reads("values", input, IntGatherKernels.FROM_AT, IntGatherKernels.SIZE_AT)
            .writes("output", id, type, most, positions, IntGatherKernels.TO_AT)
            .counts()
            .onDevice(
                launches ->
                    launches
                        .kernels(IntGatherKernels.class, type)
                        .launch(
                            "gather",
                            "gather",
                            Grid.of(IntGatherKernels.tiles(most), IntGatherKernels.THREADS)))
            .onJvm(
                run ->
                    MoveLoops.of(type)
                        .gather(
                            run.input(input),
                            run.length(input),
                            run.input(positions),
                            run.length(positions),
                            run.output(id)));
    if (refused != null) {
      return step.reads("refused", refused);
    }
    step.filled("refused", id + ".passed", ElementType.INT, 1, -1);
    return source == null
        ? step
        : step.readsFound("source", source)
            .equallyLong(source, input, "columns of %s are equally long".formatted(id));
  }
}
