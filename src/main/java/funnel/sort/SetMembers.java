package funnel.sort;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.OperatorThrewException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The part of a {@link SetOperation} that decides which elements are kept: on a device it flags
 * elements of a merge, for a selection; the JVM form does the whole operation, for elements or
 * their positions.
 *
 * @param merge the merge on a device, which gives positions
 * @param kept which elements are kept: a sum of constants of {@link IntSetMemberKernels}
 * @param output the name of the array of kept elements
 * @param count the result that is its length
 * @param isWhole whether it is the whole operation, not only the flags
 * @param isOrder whether positions are kept instead of elements
 */
record SetMembers(
    TileMerge merge, int kept, String output, String count, boolean isWhole, boolean isOrder)
    implements Primitive {

  @Override
  public String id() {
    return output + ".flags";
  }

  private Input first() {
    return merge.first();
  }

  private Input second() {
    return merge.second();
  }

  private String positions() {
    return String.valueOf(merge.positions());
  }

  @Override
  public Layout layout() {
    Layout layout = TileMerge.reads(first(), second());
    if (isWhole) {
      return layout
          .delivers(count, ElementType.INT)
          .delivers(merge.count(), ElementType.INT) // an upper bound
          .writesFound(output, isOrder ? ElementType.INT : first().type(), merge.capacity(), count);
    }
    return layout
        .readsFound(positions())
        .writes(id(), ElementType.BYTE, merge.capacity(), positions())
        .counts(id());
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      0, // length of the first
      0, // and of the second
      lengths.offset(first().name()),
      lengths.offset(second().name())
    };
  }

  @Override
  public void launch(Launches launches) {
    launches
        .array("first", first().name())
        .array("second", second().name())
        .array("positions", positions())
        .array("flags", id())
        .value("by", merge.order().by())
        .value("kept", kept)
        .add(
            "members",
            merge.order().kernels(IntSetMemberKernels.class, first().type()),
            "members",
            Grid.of(IntSetMemberKernels.tiles(merge.capacity()), IntSetMemberKernels.THREADS));
  }

  @Override
  public Primitive in(Setting setting) {
    return new SetMembers(merge.in(setting), kept, output, count, isWhole, isOrder);
  }

  @Override
  public String takesForGranted() {
    return merge.takesForGranted();
  }

  @Override
  public List<Combined> combined() {
    return merge.combined();
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MergeOrder order = merge.order();
    MergeLoops loops = run.kept(id(), MergeLoops.class, () -> order.loops(first().type()));
    MergeLoops.Part early = TileMerge.part(run, first());
    MergeLoops.Part late = TileMerge.part(run, second());
    MemorySegment to = run.output(output);
    run.deliver(merge.count(), early.length() + late.length());
    OperatorThrewException.naming(
        order.functions(),
        () ->
            run.deliver(
                count,
                loops.members(
                    early,
                    late,
                    kept,
                    isOrder ? null : to,
                    isOrder ? to : null,
                    order.comparator())));
  }
}
