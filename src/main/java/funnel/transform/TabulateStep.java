package funnel.transform;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.kernel.ShapeLongs;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An array that a rule gives, {@code y[i] = f(i, x[g(i)])}: see {@link Reverse}, {@link
 * AdjacentDifference}, {@link Shuffle}, {@link Sample}, {@link Iota}, {@link Fill} and {@link
 * RandomNumbers}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param rule the rule, one of the constants
 * @param input the elements; with a rule that reads none, an array of the same length, if the
 *     length is not fixed
 * @param type of the array, and of the elements
 * @param start a number of the rule's
 * @param step another one
 * @param count the number of elements of the array, or {@link #ALL}
 * @param capacity the largest number of elements; without an input, their number
 */
record TabulateStep(
    String id,
    int rule,
    @Nullable String input,
    ElementType type,
    long start,
    long step,
    int count,
    int capacity)
    implements Primitive {

  static final int ALL = -1;

  /* Kernels compare these by their order: those that only read, those that permute, the others. */

  /** {@code x[n - 1 - i]} of {@code n} elements. */
  static final int REVERSE = 0;

  /** {@code x[i] - x[i - 1]}; {@code x[0]} for the first one. */
  static final int DIFFERENCE = 1;

  /** {@code x[p(i)]}, where {@code p} is the {@link Bijection} of key {@code start}. */
  static final int PERMUTE = 2;

  /** {@code p(i)}. */
  static final int POSITION = 3;

  /** {@code start + i * step}, both by their bits. */
  static final int PROGRESSION = 4;

  /** The random number of the state {@code start + (i + 1) * step}. */
  static final int RANDOM = 5;

  /** Whether reading is all the work: the rule has no numbers. */
  private boolean isRead() {
    return rule == REVERSE || rule == DIFFERENCE;
  }

  private boolean takesElements() {
    return isRead() || rule == PERMUTE;
  }

  static boolean isPermuted(int rule) {
    return rule == PERMUTE || rule == POSITION;
  }

  /** The JVM form, for any type. */
  interface Loops {
    /**
     * Fills {@code output}, which has {@code length} elements, from {@code size} values; with a
     * rule that reads none, these are any memory.
     */
    void tabulate(
        int rule,
        MemorySegment values,
        int size,
        MemorySegment output,
        int length,
        long start,
        long step);
  }

  /** The expansion to a rule over all elements of an input. */
  static Expansion expansion(String id, int rule, Input of, long start) {
    return new Expansion(
        List.of(new TabulateStep(id, rule, of.name(), of.type(), start, 0, ALL, of.capacity())),
        List.of());
  }

  /** The expansion to a rule for a number of elements, without an input. */
  static Expansion expansion(
      String id, int rule, ElementType type, long start, long step, int length) {
    return new Expansion(
        List.of(new TabulateStep(id, rule, null, type, start, step, ALL, length)), List.of());
  }

  @Override
  public Step in(Setting setting) {
    int size = setting.capacity(capacity);
    int most = count == ALL ? size : setting.capacity(count);
    Step step =
        Step.of(this, setting)
            .counts()
            .onDevice(launches -> launch(launches, most))
            .onJvm(
                run -> {
                  int given = input == null ? size : run.length(input);
                  tabulate(run, given, count == ALL ? given : Math.min(most, given));
                });
    if (!isRead()) {
      step.numbers(IntTabulateKernels.START_AT, ShapeLongs.ints(start))
          .numbers(IntTabulateKernels.STEP_AT, ShapeLongs.ints(this.step));
    }
    if (input != null && takesElements()) {
      step.reads("values", input, IntTabulateKernels.FROM_AT);
    } else {
      step.placeholder(id + ".none", type, "values").number(IntTabulateKernels.FROM_AT, 0);
    }
    if (input == null) {
      return step.number(IntTabulateKernels.LENGTH_AT, most)
          .writes("output", id, type, most, IntTabulateKernels.TO_AT);
    }
    if (!takesElements()) {
      step.readsFound("like", input);
    }
    if (count == ALL) {
      return step.derives(IntTabulateKernels.LENGTH_AT, input, LengthRule.LENGTH)
          .writes("output", id, type, most, input, IntTabulateKernels.TO_AT);
    }
    ToIntFunction<Lengths> length = // fewer only of an input that is cut off
        lengths -> Math.min(most, lengths.length(input));
    return step.number(IntTabulateKernels.SIZE_AT, lengths -> lengths.length(input))
        .number(IntTabulateKernels.LENGTH_AT, length)
        .writes("output", id, type, most, length, IntTabulateKernels.TO_AT)
        .requires(
            lengths -> {
              if (lengths.length(input) < most) {
                throw new IllegalArgumentException(
                    "sample %s of %s elements: %s has only length=%s"
                        .formatted(id, most, input, lengths.length(input)));
              }
            });
  }

  private void launch(Launches launches, int most) {
    int tile = IntTabulateKernels.tile(rule);
    String kernel = isRead() ? "read" : "compute";
    launches
        .value("rule", rule)
        .value("tile", tile)
        .value("sizeAt", count == ALL ? IntTabulateKernels.LENGTH_AT : IntTabulateKernels.SIZE_AT)
        .kernels(IntTabulateKernels.class, type)
        .launch(
            kernel,
            kernel,
            Grid.of(Math.max(1, Math.ceilDiv(most, tile)), IntTabulateKernels.THREADS));
  }

  private void tabulate(JvmRun run, int size, int length) {
    MemorySegment output = run.output(id);
    MemorySegment values = input != null && takesElements() ? run.input(input) : output;
    FunctionCopies.instance(
            MethodHandles.lookup(), Loops.class, TwinClass.of(IntTabulateLoops.class, type))
        .tabulate(rule, values, size, output, length, start, step);
  }
}
