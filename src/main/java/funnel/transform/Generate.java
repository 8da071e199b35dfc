package funnel.transform;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * One {@link Fill}, {@link Iota} or {@link RandomNumbers}: an array without inputs.
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
record Generate(
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
  public Layout layout() {
    Layout layout = Layout.reads().counts(id);
    return like == null
        ? layout.writes(id, type, length)
        : layout.readsFound(like).derives(0, like).writes(id, type, length, like);
  }

  @Override
  public int[] shape(Lengths lengths) {
    int[] shape = new int[2 + 2 * ShapeLongs.INTS];
    shape[0] = length;
    shape[1] = lengths.offset(id);
    ShapeLongs.put(start, shape, 2);
    ShapeLongs.put(step, shape, 2 + ShapeLongs.INTS);
    return shape;
  }

  @Override
  public void launch(Launches launches) {
    int tiles = Math.max(1, Math.ceilDiv(length, IntGenerateKernels.TILE));
    launches
        .array("output", id)
        .value("random", isRandom ? 1 : 0)
        .add(
            "generate",
            TwinClass.of(MethodHandles.lookup(), IntGenerateKernels.class, type),
            "generate",
            Grid.of(tiles, IntGenerateKernels.THREADS));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    FunctionCopies.instance(
            MethodHandles.lookup(),
            Loops.class,
            TwinClass.of(MethodHandles.lookup(), IntGenerateLoops.class, type))
        .generate(run.output(id), like == null ? length : run.length(like), isRandom, start, step);
  }

  @Override
  public Primitive in(Setting setting) {
    return new Generate(id, like, type, isRandom, start, step, setting.capacity(length));
  }
}
