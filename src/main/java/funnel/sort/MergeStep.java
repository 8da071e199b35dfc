package funnel.sort;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.OperatorThrewException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Merges two sorted arrays.
 *
 * @param id the merge's name in its tasks' names, and prefix of the names of hidden arrays
 * @param first the input whose elements come first among equal ones
 * @param second the other input, of the same type
 * @param merged the name of the array of the elements, or null for none
 * @param positions the name of the array of their positions in the first input, or in the second
 *     counted from the first's length on; or null for none
 */
record MergeStep(
    String id,
    Input first,
    Input second,
    MergeOrder order,
    @Nullable String merged,
    @Nullable String positions)
    implements Primitive {

  /* For the check of kernels, a program is cut to the first elements of its inputs, and arrays of
   * later primitives have no more elements than an input. So only the first half as many elements
   * of each input are merged: the merged length is then within that limit.
   */

  private String slot(String name) {
    return id + "." + name;
  }

  String count() {
    return slot("count");
  }

  int capacity() {
    return first.capacity() + second.capacity();
  }

  private int items() {
    return IntMergeKernels.items(first.type());
  }

  /** The merge of the first halves, if a setting takes only the first elements. */
  MergeStep within(Setting setting) {
    return new MergeStep(
        id, within(first, setting), within(second, setting), order, merged, positions);
  }

  private static Input within(Input input, Setting setting) {
    boolean isCut = setting.most() < Integer.MAX_VALUE;
    int most = isCut ? setting.most() / 2 : Integer.MAX_VALUE;
    return new Input(input.name(), input.type(), Math.min(most, input.capacity()));
  }

  /** States that a step reads both inputs, in their order. */
  Step reading(Step step) {
    order.functions().forEach(function -> step.applies(function, first.name()));
    String isOrder = order.takesForGranted();
    return step.reads("first", first.name(), IntMergeKernels.IN_FIRST)
        .reads("second", second.name(), IntMergeKernels.IN_SECOND)
        .derives(
            IntMergeKernels.LENGTH, first.name(), LengthRule.LENGTH.within(0, first.capacity()))
        .derives(
            IntMergeKernels.SECOND_LENGTH,
            second.name(),
            LengthRule.LENGTH.within(0, second.capacity()))
        .takesForGranted(
            "%s and %s are sorted%s"
                .formatted(
                    first.name(), second.name(), isOrder.isEmpty() ? "" : ", and " + isOrder));
  }

  @Override
  public Step in(Setting setting) {
    return within(setting).step(Step.of(this, setting));
  }

  private Step step(Step step) {
    ElementType type = first.type();
    int tiles = IntMergeKernels.tiles(capacity(), items());
    reading(step)
        .delivers("done", count(), ElementType.INT)
        .scratch("splits", slot("splits"), ElementType.INT, 1 + tiles)
        .scratch("merged2", slot("merged2"), type, 1)
        .scratch("merged3", slot("merged3"), type, 1)
        .number(IntMergeKernels.IN_OTHER, 0)
        .checkedWith(2 * items() * IntMergeKernels.THREADS + 154)
        .onDevice(launches -> launch(launches, tiles))
        .onJvm(this::merge);
    if (merged == null) {
      step.scratch("merged", slot("merged"), type, 1).number(IntMergeKernels.IN_OUTPUT, 0);
    } else {
      step.writesFound(
          "merged", merged, type, capacity(), count(), null, IntMergeKernels.IN_OUTPUT);
    }
    return positions == null
        ? step.number(IntMergeKernels.POSITIONS_IN_OUTPUT, 0)
        : step.writesFound(
            "mergedPositions",
            positions,
            ElementType.INT,
            capacity(),
            count(),
            null,
            IntMergeKernels.POSITIONS_IN_OUTPUT);
  }

  private void launch(Launches launches, int tiles) {
    if (positions == null) {
      launches.array("mergedPositions", slot("splits"));
    }
    launches
        .array("column3", first.name()) // merges have none
        .array("positions", slot("splits"))
        .value("run", 0)
        .value("least", 0)
        .value("by", order.by())
        .value(
            "outputs",
            (merged == null ? 0 : IntMergeKernels.KEYS)
                + (positions == null ? 0 : IntMergeKernels.POSITIONS)
                + IntMergeKernels.LAST)
        .value("fromAt", IntMergeKernels.IN_FIRST)
        .value("items", items())
        .kernels(IntMergeKernels.class, first.type())
        .launch(
            "split",
            "split",
            Grid.of(tiles / IntMergeKernels.SPLIT_THREADS + 1, IntMergeKernels.SPLIT_THREADS))
        .launch("merge", "merge", Grid.of(tiles, IntMergeKernels.THREADS));
  }

  private void merge(JvmRun run) {
    MergeLoops loops = run.kept(id, MergeLoops.class, () -> order.loops(first.type()));
    MergeLoops.Part early = part(run, first);
    MergeLoops.Part late = part(run, second);
    run.deliver(count(), early.length() + late.length()); // before: outputs have room for no more
    OperatorThrewException.naming(
        order.functions(),
        () -> loops.merge(early, late, output(run, merged), output(run, positions)));
  }

  static MergeLoops.Part part(JvmRun run, Input input) {
    return part(run, input, input);
  }

  /** The part of a column that belongs to the merged part of its table's keys. */
  static MergeLoops.Part part(JvmRun run, Input column, Input keys) {
    int length = Math.min(run.length(keys.name()), keys.capacity());
    return new MergeLoops.Part(run.input(column.name()), 0, length);
  }

  private static @Nullable MemorySegment output(JvmRun run, @Nullable String name) {
    return name == null ? null : run.output(name);
  }
}
