package funnel.sort;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.LengthRule;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;

/**
 * A column of two tables in the order of positions from a merge of their keys, which count through
 * both tables: 10, 30, 20 for 10, 20 and 30 and the positions 0, 2, 1.
 *
 * @param id its name, and that of the array it writes
 * @param first the first table's column
 * @param second the second table's column, of the same type
 * @param merge the merge of their keys
 * @param positions the array of the positions
 */
record MergedColumn(String id, Input first, Input second, TileMerge merge, String positions)
    implements Primitive {

  /**
   * The merged columns of pairs of columns, with the names {@code output + "_1"} and so on.
   *
   * @param operation the operation, for messages
   * @throws IllegalArgumentException if the two columns of a pair have different types
   */
  static List<MergedColumn> ofPairs(
      Operation operation, String output, List<Input> columns, TileMerge merge, String positions) {
    List<MergedColumn> all = new ArrayList<>();
    for (int i = 0; i < columns.size(); i += 2) {
      Input first = columns.get(i);
      Input second = columns.get(i + 1);
      Merge.requireOneType(operation, first, second);
      all.add(new MergedColumn(output + "_" + (all.size() + 1), first, second, merge, positions));
    }
    return all;
  }

  @Override
  public Layout layout() {
    return Layout.reads()
        .readsFound(first.name())
        .readsFound(second.name())
        .readsFound(positions)
        .derives(0, positions)
        .derives(1, merge.first().name(), LengthRule.LENGTH.within(0, merge.first().capacity()))
        .derives(5, merge.second().name(), LengthRule.LENGTH.within(0, merge.second().capacity()))
        .sameLength(first.name(), merge.first().name())
        .sameLength(second.name(), merge.second().name())
        .writes(id, first.type(), merge.capacity(), positions)
        .counts(id);
  }

  @Override
  public void requireLengths(Lengths lengths) {
    requireLength(lengths, first, merge.first());
    requireLength(lengths, second, merge.second());
  }

  private void requireLength(Lengths lengths, Input column, Input keys) {
    if (lengths.length(column.name()) != lengths.length(keys.name())) {
      throw new IllegalArgumentException(
          "columns of %s are as long as their table's keys: length of %s=%s, length of %s=%s"
              .formatted(
                  id,
                  keys.name(),
                  lengths.length(keys.name()),
                  column.name(),
                  lengths.length(column.name())));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      0, // length
      0, // length of the first
      lengths.offset(first.name()),
      lengths.offset(second.name()),
      lengths.offset(id),
      0 // length of the second
    };
  }

  @Override
  public void launch(Launches launches) {
    launches
        .array("first", first.name())
        .array("second", second.name())
        .array("positions", positions)
        .array("column", id)
        .add(
            "column",
            TwinClass.of(MethodHandles.lookup(), IntMergedColumnKernels.class, first.type()),
            "column",
            Grid.of(
                IntMergedColumnKernels.tiles(merge.capacity()), IntMergedColumnKernels.THREADS));
  }

  @Override
  public MergedColumn in(Setting setting) {
    return new MergedColumn(id, first, second, merge.in(setting), positions);
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MergeOrder.ASCENDING
        .loops(first.type())
        .column(
            TileMerge.part(run, first, merge.first()),
            TileMerge.part(run, second, merge.second()),
            run.input(positions),
            run.length(positions),
            run.output(id));
  }
}
