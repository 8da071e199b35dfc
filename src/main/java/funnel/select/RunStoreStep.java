package funnel.select;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import org.jspecify.annotations.Nullable;

/**
 * The first elements of runs, and their positions: 4, 7, 9 and 0, 2, 3 for 4, 4, 7, 9, 9, 9.
 *
 * @param id its name and that of the elements
 * @param heads the primitive that finds where runs begin
 * @param before the array of the numbers of runs that begin before each 4096 bits
 * @param starts the name of the array of the positions, or null
 */
record RunStoreStep(String id, RunHeadsStep heads, String before, @Nullable String starts)
    implements Primitive {

  @Override
  public Step in(Setting setting) {
    String input = heads.input();
    ElementType type = heads.type();
    int capacity = setting.capacity(heads.capacity());
    LengthRule tiles = RunHeadsStep.tiles(type);
    String count = id + ".count";
    Step step =
        Step.of(this, setting)
            .reads("values", input, IntRunKernels.FROM_AT, IntRunKernels.LENGTH_AT)
            .reads("bits", heads.id())
            .reads("before", before)
            .derives(IntRunKernels.TILES_AT, input, tiles)
            .delivers("count", count, ElementType.INT)
            .writesFound("output", id, type, capacity, count, input, IntRunKernels.TO_AT)
            .onDevice(
                launches ->
                    launches
                        .value("lead", RunHeadsStep.lead(type))
                        .value("hasStarts", starts == null ? 0 : 1)
                        .kernels(IntRunKernels.class, type)
                        .launch(
                            "store", "store", Grid.of(tiles.of(capacity), IntRunKernels.THREADS)));
    return starts == null
        ? step.scratch("starts", id + ".nostarts", ElementType.INT, 1)
            .number(IntRunKernels.STARTS_TO_AT, 0)
        : step.writesFound(
            "starts", starts, ElementType.INT, capacity, count, input, IntRunKernels.STARTS_TO_AT);
  }
}
