package funnel.sort;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.OperatorThrewException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges two sorted arrays.
 *
 * @param id the merge's name in its tasks' names, and the beginning of the names of hidden arrays
 * @param first the input whose elements come first among equal ones
 * @param second the other input, of the same type
 * @param order their order
 * @param merged the name of the array of the elements, if they are wanted
 * @param positions the name of the array of their positions in the first input, or in the second
 *     counted from the first's length on, if they are wanted
 */
record TileMerge(
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

  /** The result that is the number of elements. */
  String count() {
    return slot("count");
  }

  /** The largest number of elements of both inputs. */
  int capacity() {
    return first.capacity() + second.capacity();
  }

  private int items() {
    return IntMergeKernels.items(first.type());
  }

  private int tiles() {
    return IntMergeKernels.tiles(capacity(), items());
  }

  /** The layout of a primitive that reads both inputs. */
  static Layout reads(Input first, Input second) {
    return Layout.reads(first.name(), second.name())
        .derives(0, first.name(), LengthRule.LENGTH.within(0, first.capacity()))
        .derives(1, second.name(), LengthRule.LENGTH.within(0, second.capacity()));
  }

  @Override
  public Layout layout() {
    ElementType type = first.type();
    Layout layout =
        reads(first, second)
            .delivers(count(), ElementType.INT)
            .scratch(slot("splits"), ElementType.INT, 1 + tiles())
            .scratch(slot("merged2"), type, 1)
            .scratch(slot("merged3"), type, 1)
            .checkedWith(2 * items() * IntMergeKernels.THREADS + 154);
    if (merged == null) {
      layout.scratch(slot("merged"), type, 1);
    } else {
      layout.writesFound(merged, type, capacity(), count());
    }
    if (positions != null) {
      layout.writesFound(positions, ElementType.INT, capacity(), count());
    }
    return layout;
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      0, // length of the first
      0, // and of the second
      lengths.offset(first.name()),
      lengths.offset(second.name()),
      merged == null ? 0 : lengths.offset(merged),
      0,
      positions == null ? 0 : lengths.offset(positions)
    };
  }

  @Override
  public void launch(Launches launches) {
    Class<?> kernels = order.kernels(IntMergeKernels.class, first.type());
    int tiles = tiles();
    launches
        .array("first", first.name())
        .array("second", second.name())
        .array("column3", first.name()) // merges have none
        .array("splits", slot("splits"))
        .array("positions", slot("splits"))
        .array("merged", merged == null ? slot("merged") : merged)
        .array("merged2", slot("merged2"))
        .array("merged3", slot("merged3"))
        .array("mergedPositions", positions == null ? slot("splits") : positions)
        .result("done", count())
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
        .add(
            "split",
            kernels,
            "split",
            Grid.of(tiles / IntMergeKernels.SPLIT_THREADS + 1, IntMergeKernels.SPLIT_THREADS))
        .add("merge", kernels, "merge", Grid.of(tiles, IntMergeKernels.THREADS));
  }

  @Override
  public TileMerge in(Setting setting) {
    return new TileMerge(
        id, within(first, setting), within(second, setting), order, merged, positions);
  }

  private static Input within(Input input, Setting setting) {
    boolean isCut = setting.most() < Integer.MAX_VALUE;
    int most = isCut ? setting.most() / 2 : Integer.MAX_VALUE;
    return new Input(input.name(), input.type(), Math.min(most, input.capacity()));
  }

  @Override
  public String takesForGranted() {
    String isOrder = order.takesForGranted();
    return "%s and %s are sorted%s"
        .formatted(first.name(), second.name(), isOrder.isEmpty() ? "" : ", and " + isOrder);
  }

  @Override
  public List<Combined> combined() {
    return order.combined(first.name());
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MergeLoops loops = run.kept(id, MergeLoops.class, () -> order.loops(first.type()));
    MergeLoops.Part early = part(run, first);
    MergeLoops.Part late = part(run, second);
    OperatorThrewException.naming(
        order.functions(),
        () ->
            loops.merge(
                early, late, output(run, merged), output(run, positions), order.comparator()));
    run.deliver(count(), early.length() + late.length());
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
