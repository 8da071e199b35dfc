package funnel.scan;

import funnel.jit.FunctionCopies;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.kernel.Scalars;
import funnel.kernel.ShapeLongs;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Windows of elements combined, see {@link Window}.
 *
 * @param given positions in segments, or widths; null with {@link #ROWS}
 * @param rows the number of elements of a window, the largest int where widths say it
 * @param decay what elements are multiplied by for each element after them; null if by nothing
 */
record WindowStep(
    String id,
    Input values,
    @Nullable Input given,
    int kind,
    Operator operator,
    int rows,
    @Nullable Double decay)
    implements Primitive {

  /* Where widths say how far windows reach, these are mostly short. The first form assumes that
   * tiles alone can combine them, in one launch.
   */

  static final int ROWS = 0;
  static final int IN_SEGMENTS = 1;
  static final int WIDTHS = 2;

  /** In kernels the operator's code if elements decay. */
  static final int DECAYED = -1;

  /** Some tiles, and some levels after them. */
  private static final int CHECKED = 3 * IntWindowKernels.PLACES + 77;

  /** The JVM form, for any type. */
  interface Loops {
    /** Sets the results of all elements. */
    void combine(
        MemorySegment values,
        @Nullable MemorySegment given,
        MemorySegment output,
        int length,
        int kind,
        int rows,
        @Nullable Number decay);
  }

  /**
   * A number of elements by which windows of at most {@code length} elements are combined in the
   * same way: all that is beyond is one bit.
   */
  private int rows(int length) {
    int beyond = Integer.highestOneBit(Math.max(length, 1)) << 1;
    return beyond <= 0 || rows < beyond ? rows : rows & (beyond - 1) | beyond;
  }

  @Override
  public Step in(Setting setting) {
    ElementType type = values.type();
    String input = values.name();
    int most = setting.capacity(values.capacity());
    boolean isAlone =
        kind == WIDTHS
            ? setting.mayAssume() || most <= IntWindowKernels.MOST
            : rows(most) <= IntWindowKernels.MOST;
    int last = Integer.highestOneBit(kind == WIDTHS ? Math.max(most, 1) : rows(most));
    int lastOfTiles = isAlone ? Math.min(last, IntWindowKernels.MOST) : IntWindowKernels.MOST / 2;
    int levels =
        isAlone
            ? 0
            : Integer.numberOfTrailingZeros(last) - Integer.numberOfTrailingZeros(lastOfTiles);
    int scratch = isAlone ? 1 : most;
    Number factor = decay == null ? 0 : type.fitting("decay", decay);
    Step step =
        Step.of(this, setting)
            .reads("values", input, IntWindowKernels.FROM_AT, IntWindowKernels.LENGTH_AT)
            .writes("output", id, type, most, input, IntWindowKernels.TO_AT)
            .number(IntWindowKernels.ROWS_AT, kind == WIDTHS ? 0 : rows(most))
            .number(IntWindowKernels.TILE_AT, tile(most))
            .number(IntWindowKernels.LAST_OF_TILES_AT, lastOfTiles)
            .number(IntWindowKernels.LAST_AT, isAlone ? lastOfTiles : last)
            .numbers(IntWindowKernels.DECAY_AT, ShapeLongs.ints(bits(factor)))
            .scratch("even", id + ".even", type, scratch)
            .scratch("odd", id + ".odd", type, scratch)
            .scratch("levels", id + ".levels", ElementType.INT, 2)
            .counts()
            .checkedWith(CHECKED)
            .combines(operator, input, type, null)
            .onDevice(launches -> launch(launches, most, isAlone, levels))
            .onJvm(run -> combine(run, decay == null ? null : factor));
    if (given == null) {
      return step.placeholder(id + ".none", ElementType.INT, "given")
          .number(IntWindowKernels.GIVEN_FROM_AT, 0);
    }
    step.readsFound("given", given.name(), IntWindowKernels.GIVEN_FROM_AT)
        .equallyLong(input, given.name(), "windows %s take inputs of equal length".formatted(id));
    return kind == WIDTHS && isAlone && most > IntWindowKernels.MOST
        ? step.assumes(id + ".done", "a window has more elements than a block combines")
        : step;
  }

  private static long bits(Number factor) {
    return switch (factor) {
      case Float f -> Scalars.bits(f);
      case Double d -> Scalars.bits(d);
      default -> 0;
    };
  }

  private int tile(int most) {
    return IntWindowKernels.tile(kind == WIDTHS ? IntWindowKernels.MOST : rows(most));
  }

  private void launch(Launches launches, int most, boolean isAlone, int levels) {
    int threads = IntWindowKernels.THREADS;
    launches
        .value("kind", kind)
        .value("operator", decay == null ? operator.code() : DECAYED)
        .value("isAlone", isAlone ? 1 : 0)
        .kernels(IntWindowKernels.class, values.type())
        .launch("tiles", "tiles", Grid.of(Math.max(1, Math.ceilDiv(most, tile(most))), threads));
    for (int level = 0; level < levels; level++) {
      launches
          .value("turn", level % 2)
          .launch(
              KernelTask.repetition(level % 2 == 0 ? "even" : "odd", level),
              "level",
              Grid.of(Math.max(1, Math.ceilDiv(most, IntWindowKernels.PLACES)), threads));
    }
  }

  private void combine(JvmRun run, @Nullable Number factor) {
    int length = run.length(values.name());
    OperatorThrewException.naming(
        operator,
        null,
        () ->
            run.kept(
                    id,
                    Loops.class,
                    () ->
                        FunctionCopies.loops(
                            Loops.class, IntWindowLoops.class, operator, null, values.type()))
                .combine(
                    run.input(values.name()),
                    given == null ? null : run.input(given.name()),
                    run.output(id),
                    length,
                    kind,
                    rows(length),
                    factor));
  }
}
