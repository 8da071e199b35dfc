package funnel.sort;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.LengthRule;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * A column of two tables in the order of positions from a merge of their keys: {@code y[i] =
 * x[positions[i]]}, where {@code x} is the first table's column followed by the second's. For 10,
 * 20 and 30 and the positions 0, 2, 1 it is 10, 30, 20.
 *
 * @param second the second table's column, of the same type
 */
record MergedColumnStep(String id, Input first, Input second, MergeStep merge, String positions)
    implements Primitive {

  /**
   * The merged columns of pairs of columns, with the names {@code output + "_1"} and so on.
   *
   * @throws IllegalArgumentException if the two columns of a pair have different types
   */
  static List<MergedColumnStep> ofPairs(
      Operation operation, String output, List<Input> columns, MergeStep merge, String positions) {
    List<MergedColumnStep> all = new ArrayList<>();
    for (int i = 0; i < columns.size(); i += 2) {
      Input first = columns.get(i);
      Input second = columns.get(i + 1);
      Merge.requireOneType(operation, first, second);
      all.add(
          new MergedColumnStep(output + "_" + (all.size() + 1), first, second, merge, positions));
    }
    return all;
  }

  @Override
  public Step in(Setting setting) {
    MergeStep within = merge.within(setting);
    Input firstKeys = within.first();
    Input secondKeys = within.second();
    String why = "columns of %s are as long as their table's keys".formatted(id);
    return Step.of(this, setting)
        .readsFound("first", first.name(), IntMergedColumnKernels.FIRST_FROM_AT)
        .readsFound("second", second.name(), IntMergedColumnKernels.SECOND_FROM_AT)
        .readsFound("positions", positions)
        .derives(IntMergedColumnKernels.LENGTH_AT, positions, LengthRule.LENGTH)
        .derives(
            IntMergedColumnKernels.FIRST_LENGTH_AT,
            firstKeys.name(),
            LengthRule.LENGTH.within(0, firstKeys.capacity()))
        .derives(
            IntMergedColumnKernels.SECOND_LENGTH_AT,
            secondKeys.name(),
            LengthRule.LENGTH.within(0, secondKeys.capacity()))
        .equallyLong(first.name(), firstKeys.name(), why)
        .equallyLong(second.name(), secondKeys.name(), why)
        .writes(
            "column", id, first.type(), within.capacity(), positions, IntMergedColumnKernels.TO_AT)
        .counts()
        .onDevice(
            launches ->
                launches
                    .kernels(IntMergedColumnKernels.class, first.type())
                    .launch(
                        "column",
                        "column",
                        Grid.of(
                            IntMergedColumnKernels.tiles(within.capacity()),
                            IntMergedColumnKernels.THREADS)))
        .onJvm(
            run ->
                MergeOrder.ASCENDING
                    .loops(first.type())
                    .column(
                        MergeStep.part(run, first, firstKeys),
                        MergeStep.part(run, second, secondKeys),
                        run.input(positions),
                        run.length(positions),
                        run.output(id)));
  }
}
