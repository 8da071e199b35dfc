package funnel.scan;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.Launches;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * Sums of integers in windows: the sum up to each element minus the one before its window, see
 * {@link Window}. Integers wrap around, so that these are the sums of the windows alone.
 *
 * @param sums the sums up to each element
 * @param given positions in segments, or widths; null if windows have {@code rows} elements
 */
record WindowSumStep(String id, Input sums, @Nullable Input given, int kind, int rows)
    implements Primitive {

  /** The JVM form, for any type. */
  interface Loops {
    /** Sets the results of all elements. */
    void subtract(
        MemorySegment sums,
        @Nullable MemorySegment given,
        MemorySegment output,
        int length,
        int kind,
        int rows);
  }

  @Override
  public Step in(Setting setting) {
    ElementType type = sums.type();
    int most = setting.capacity(sums.capacity());
    Step step =
        Step.of(this, setting)
            .reads("sums", sums.name(), IntWindowSumKernels.FROM_AT, IntWindowSumKernels.LENGTH_AT)
            .writes("output", id, type, most, sums.name(), IntWindowSumKernels.TO_AT)
            .number(IntWindowSumKernels.ROWS_AT, rows)
            .counts()
            .onDevice(launches -> launch(launches, most))
            .onJvm(
                run ->
                    FunctionCopies.instance(
                            MethodHandles.lookup(),
                            Loops.class,
                            TwinClass.of(IntWindowSumLoops.class, type))
                        .subtract(
                            run.input(sums.name()),
                            given == null ? null : run.input(given.name()),
                            run.output(id),
                            run.length(sums.name()),
                            kind,
                            rows));
    return given == null
        ? step.placeholder(id + ".none", ElementType.INT, "given")
            .number(IntWindowSumKernels.GIVEN_FROM_AT, 0)
        : step.readsFound("given", given.name(), IntWindowSumKernels.GIVEN_FROM_AT)
            .equallyLong(
                sums.name(), given.name(), "windows %s take inputs of equal length".formatted(id));
  }

  private void launch(Launches launches, int most) {
    launches
        .value("kind", kind)
        .kernels(IntWindowSumKernels.class, sums.type())
        .launch(
            "subtract",
            "subtract",
            Grid.of(
                Math.max(1, Math.ceilDiv(most, IntWindowSumKernels.TILE)),
                IntWindowSumKernels.THREADS));
  }
}
