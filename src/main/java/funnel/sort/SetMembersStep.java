package funnel.sort;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.OperatorThrewException;
import java.lang.foreign.MemorySegment;

/**
 * The part of a {@link SetOperation} that decides which elements are kept: on a device it flags
 * elements of a merge, for a selection; the JVM form does the whole operation, for elements or
 * their positions.
 *
 * @param merge the merge on a device, which gives positions
 * @param kept which elements are kept: a sum of constants of {@link IntSetMembersKernels}
 * @param output the name of the array of kept elements
 * @param most as many elements as can be kept
 * @param isWhole whether it is the whole operation, not only the flags
 * @param isOrder whether positions are kept instead of elements
 */
record SetMembersStep(
    MergeStep merge,
    int kept,
    int most,
    String output,
    String count,
    boolean isWhole,
    boolean isOrder)
    implements Primitive {

  @Override
  public String id() {
    return output + ".flags";
  }

  @Override
  public Step in(Setting setting) {
    MergeStep within = merge.within(setting);
    ElementType type = merge.first().type();
    Step step = within.reading(Step.of(this, setting));
    if (isWhole) {
      return step.delivers("count", count, ElementType.INT)
          .delivers("merged", merge.count(), ElementType.INT) // an upper bound
          .writesFound(
              "output",
              output,
              isOrder ? ElementType.INT : type,
              Math.min(most, within.capacity()),
              count,
              null)
          .onJvm(run -> operate(run, within));
    }
    String positions = String.valueOf(merge.positions());
    return step.readsFound("positions", positions)
        .writes("flags", id(), ElementType.BYTE, within.capacity(), positions)
        .counts()
        .onDevice(
            launches ->
                launches
                    .value("by", merge.order().by())
                    .value("kept", kept)
                    .kernels(IntSetMembersKernels.class, type)
                    .launch(
                        "members",
                        "members",
                        Grid.of(
                            IntSetMembersKernels.tiles(within.capacity()),
                            IntSetMembersKernels.THREADS)));
  }

  private void operate(JvmRun run, MergeStep within) {
    MergeOrder order = merge.order();
    MergeLoops loops = run.kept(id(), MergeLoops.class, () -> order.loops(merge.first().type()));
    MergeLoops.Part early = MergeStep.part(run, within.first());
    MergeLoops.Part late = MergeStep.part(run, within.second());
    int all = early.length() + late.length();
    run.deliver(merge.count(), all);
    run.deliver(count, Math.min(most, all)); // for now, so that the output has room for no more
    MemorySegment to = run.output(output);
    OperatorThrewException.naming(
        order.functions(),
        () ->
            run.deliver(
                count, loops.members(early, late, kept, isOrder ? null : to, isOrder ? to : null)));
  }
}
