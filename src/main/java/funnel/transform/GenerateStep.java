package funnel.transform;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.kernel.ShapeLongs;
import funnel.operation.JvmRun;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * An array computed from the index alone, {@code y[i] = start + i * step}, or random numbers from
 * such states: see {@link Fill}, {@link Iota} and {@link RandomNumbers}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param like an array of the same length, if the length is not fixed
 * @param type of the array
 * @param isRandom whether elements are random numbers computed from states, or the states
 *     themselves
 * @param start the bits of the value before the first step; a state for random numbers
 * @param step the bits of the value added for each element
 * @param length the number of elements, or its maximum
 */
record GenerateStep(
    String id,
    @Nullable String like,
    ElementType type,
    boolean isRandom,
    long start,
    long step,
    int length)
    implements Primitive {

  /** The JVM form, for any type. */
  interface Loops {
    /** Fills {@code output}, which has {@code length} elements. */
    void generate(MemorySegment output, int length, boolean isRandom, long start, long step);
  }

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(length);
    int tiles = Math.max(1, Math.ceilDiv(most, IntGenerateKernels.TILE));
    Step step =
        Step.of(this, setting)
            .numbers(IntGenerateKernels.START_AT, ShapeLongs.ints(start))
            .numbers(IntGenerateKernels.STEP_AT, ShapeLongs.ints(this.step))
            .counts()
            .onDevice(
                launches ->
                    launches
                        .value("random", isRandom ? 1 : 0)
                        .kernels(IntGenerateKernels.class, type)
                        .launch("generate", "generate", Grid.of(tiles, IntGenerateKernels.THREADS)))
            .onJvm(run -> generate(run, like == null ? most : run.length(like)));
    return like == null
        ? step.number(IntGenerateKernels.LENGTH_AT, most)
            .writes("output", id, type, most, IntGenerateKernels.TO_AT)
        : step.readsFound("like", like)
            .derives(IntGenerateKernels.LENGTH_AT, like, LengthRule.LENGTH)
            .writes("output", id, type, most, like, IntGenerateKernels.TO_AT);
  }

  private void generate(JvmRun run, int elements) {
    FunctionCopies.instance(
            MethodHandles.lookup(), Loops.class, TwinClass.of(IntGenerateLoops.class, type))
        .generate(run.output(id), elements, isRandom, start, step);
  }
}
