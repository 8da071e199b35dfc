package funnel.select;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The index of the first element for which a predicate holds, or -1: see {@link FindFirst}.
 *
 * @param keeps false to find an element for which it does not hold
 */
record FindFirstStep(String id, Input elements, Transform predicate, boolean keeps)
    implements Primitive {

  interface Loops {
    /** The first matching index from {@code from} below {@code to}, or -1. */
    int first(MemorySegment values, int from, int to);
  }

  /*
   * On the JVM stretches are taken in order, by workers that stop before a stretch once an earlier
   * one has a match. A predicate that throws counts as a match, so that an exception after the
   * first match is not thrown, as in a plain loop.
   */
  private static final int STRETCH = 1 << 14;

  @Override
  public Step in(Setting setting) {
    int blocks = IntFindFirstKernels.blocks(setting.capacity(elements.capacity()));
    return Step.of(this, setting)
        .reads(
            "values", elements.name(), IntFindFirstKernels.FROM_AT, IntFindFirstKernels.LENGTH_AT)
        .delivers("position", id, ElementType.INT)
        .scratch("first", id + ".first", ElementType.INT, blocks)
        .applies(predicate, elements.name())
        .onDevice(
            launches ->
                launches
                    .value("blocks", blocks)
                    .value("keeps", keeps ? 1 : 0)
                    .kernels(IntFindFirstKernels.class, elements.type())
                    .launch("search", "search", Grid.of(blocks, IntFindFirstKernels.THREADS))
                    .launch("report", "report", Grid.of(1, IntFindFirstKernels.THREADS)))
        .onJvm(this::search);
  }

  private void search(JvmRun run) {
    MemorySegment values = run.input(elements.name());
    int length = run.length(elements.name());
    int workers = ParallelRows.mayBeShared(values, values) ? ParallelRows.cores() : 1;
    Loops loops =
        run.kept(
            id,
            Loops.class,
            () ->
                Criterion.loops(
                    Loops.class,
                    IntFindFirstLoops.class,
                    elements.type(),
                    IntSelectKernels.TEST,
                    keeps,
                    List.of(predicate)));
    AtomicInteger first = new AtomicInteger(Integer.MAX_VALUE);
    Map<Integer, RuntimeException> thrown = new ConcurrentHashMap<>();
    OperatorThrewException.naming(
        List.of(predicate),
        () -> {
          ParallelRows.deal(
              Math.ceilDiv(length, STRETCH),
              workers,
              _ ->
                  stretch -> {
                    int from = stretch * STRETCH;
                    if (from < first.get()) {
                      int to = from + Math.min(STRETCH, length - from);
                      int at = from;
                      try {
                        at = loops.first(values, from, to);
                      } catch (RuntimeException e) {
                        thrown.put(from, e);
                      }
                      first.accumulateAndGet(at < 0 ? Integer.MAX_VALUE : at, Math::min);
                    }
                  });
          RuntimeException e = thrown.get(first.get());
          if (e != null) {
            throw e;
          }
        });
    run.deliver(id, first.get() == Integer.MAX_VALUE ? -1 : first.get());
  }
}
