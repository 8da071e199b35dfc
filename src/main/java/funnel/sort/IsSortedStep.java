package funnel.sort;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The index of the first element that belongs before its predecessor, or -1: see {@link IsSorted}.
 *
 * @param id the name of the primitive in its tasks' names, and prefix of its result's name
 */
record IsSortedStep(String id, Input elements, boolean isDescending) implements Primitive {

  interface Loops {
    /**
     * The first index from {@code from} below {@code to} whose element belongs before its
     * predecessor, or the largest int.
     *
     * @param from at least 1
     */
    int first(MemorySegment values, int from, int to, int sign);
  }

  /* Stretches are taken in order, and skipped once an earlier one has such an element. */
  private static final int STRETCH = 1 << 14;

  /** The name of the result, the first such index, or -1. */
  String first() {
    return id + "_first";
  }

  private int sign() {
    return isDescending ? -1 : 1;
  }

  @Override
  public Step in(Setting setting) {
    int blocks = IntIsSortedKernels.blocks(setting.capacity(elements.capacity()));
    return Step.of(this, setting)
        .reads("values", elements.name(), IntIsSortedKernels.FROM_AT, IntIsSortedKernels.LENGTH_AT)
        .delivers("first", first(), ElementType.INT)
        .scratch("places", id + ".places", ElementType.INT, blocks)
        .onDevice(
            launches ->
                launches
                    .value("blocks", blocks)
                    .value("sign", sign())
                    .kernels(IntIsSortedKernels.class, elements.type())
                    .launch("check", "check", Grid.of(blocks, IntIsSortedKernels.THREADS))
                    .launch("report", "report", Grid.of(1, IntIsSortedKernels.THREADS)))
        .onJvm(this::check);
  }

  private void check(JvmRun run) {
    MemorySegment values = run.input(elements.name());
    int pairs = Math.max(0, run.length(elements.name()) - 1);
    int workers = ParallelRows.mayBeShared(values, values) ? ParallelRows.cores() : 1;
    Loops loops =
        FunctionCopies.instance(
            MethodHandles.lookup(),
            Loops.class,
            TwinClass.of(IntIsSortedLoops.class, elements.type()));
    AtomicInteger first = new AtomicInteger(Integer.MAX_VALUE);
    ParallelRows.deal(
        Math.ceilDiv(pairs, STRETCH),
        workers,
        _ ->
            stretch -> {
              int from = stretch * STRETCH;
              if (from < first.get()) {
                int to = from + Math.min(STRETCH, pairs - from);
                first.accumulateAndGet(loops.first(values, from + 1, to + 1, sign()), Math::min);
              }
            });
    run.deliver(first(), first.get() == Integer.MAX_VALUE ? -1 : first.get());
  }
}
