package funnel.transform;

import funnel.kernel.KernelTask.Grid;
import funnel.kernel.ShapeLongs;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.LengthRule;
import funnel.operation.OutputTooShortException;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Elements of arrays at other places: see {@link Slice}, {@link Shift} and {@link Concat}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param inputs the arrays, several only with {@link #PART}, one after the other
 * @param kind which elements, one of the constants
 * @param start the index of the element of the input that comes first
 * @param most the largest number of elements of the array
 * @param least the number of elements that an input must have
 * @param fill what is where the input has no element
 */
record CopyStep(
    String id, List<Input> inputs, int kind, int start, int most, int least, Number fill)
    implements Primitive {

  /* Kernels compare these by their order: those that may be shorter, those that are filled up. */

  /** From the start on, at most so many. */
  static final int PART = 0;

  /** The last ones, at most so many. */
  static final int LAST = 1;

  /** From the start on, just so many. */
  static final int FIXED = 2;

  /** From the start on, which may be before the first element, as many as the input has. */
  static final int SHIFT = 3;

  /** The expansion to a copy of parts of arrays. */
  static Expansion expansion(
      String id, List<Input> inputs, int kind, int start, int most, Number fill) {
    return new Expansion(List.of(new CopyStep(id, inputs, kind, start, most, 0, fill)), List.of());
  }

  /** The expansion to a copy of a part of an array that has at least so many elements. */
  static Expansion expansion(String id, Input of, int kind, int start, int most, int least) {
    if (of.capacity() < least) {
      throw OutputTooShortException.ofNeed(
          tooFew(id, of.name(), least, "capacity", of.capacity()), least);
    }
    return new Expansion(
        List.of(new CopyStep(id, List.of(of), kind, start, most, least, 0)), List.of());
  }

  private static String tooFew(String id, String input, int least, String what, int given) {
    return "slice %s needs %s elements of %s, which has %s=%s; skip(n), limit(n) and last(n) take as many as there are"
        .formatted(id, least, input, what, given);
  }

  private ElementType type() {
    return inputs.getFirst().type();
  }

  private String result() {
    return id + ".length";
  }

  private int count(int length, int from, int limit) {
    return switch (kind) {
      case LAST -> Math.min(length, limit);
      case FIXED -> limit;
      case SHIFT -> length;
      default -> Math.max(Math.min(length - from, limit), 0);
    };
  }

  @Override
  public Step in(Setting setting) {
    boolean isCut = setting.most() < Integer.MAX_VALUE;
    int size = setting.capacity(inputs.getFirst().capacity());
    int from = isCut ? Math.clamp(start, -size / 2, size / 2) : start; // to check both ends
    int limit = kind == FIXED && isCut ? Math.min(most, size - from) : most;
    if (kind == PART && isCut && start > 0) { // no more than there would be
      limit = Math.clamp((long) inputs.getFirst().capacity() - start, 0, limit);
    }
    if (inputs.size() > 1 && isCut) {
      limit = setting.most() / inputs.size(); // together no more than the setting allows
    }
    return step(setting, from, limit, isCut);
  }

  private Step step(Setting setting, int from, int limit, boolean isCut) {
    Step step =
        Step.of(this, setting)
            .number(IntCopyKernels.START_AT, from)
            .number(IntCopyKernels.MOST_AT, limit)
            .numbers(IntCopyKernels.FILL_AT, ShapeLongs.ints(MoveLoops.bits(type(), fill)))
            .bitsOf("output")
            .delivers("length", result(), ElementType.INT)
            .onDevice(launches -> launch(launches, setting, from, limit))
            .onJvm(run -> copy(run, from, limit, isCut));
    int capacity = 0;
    for (int i = 0; i < inputs.size(); i++) {
      Input input = inputs.get(i);
      int at = IntCopyKernels.INPUTS_AT + i * IntCopyKernels.INPUT_INTS;
      capacity += count(setting.capacity(input.capacity()), from, limit);
      step.reads("values" + i, input.name(), at + 1).derives(at, input.name(), LengthRule.LENGTH);
    }
    writes(step, capacity, from, limit);
    if (isCut || least == 0) {
      return step;
    }
    return step.requires(this::requireLeast).refuses((_, lengths) -> requireLeast(lengths));
  }

  private void writes(Step step, int capacity, int from, int limit) {
    switch (kind) {
      case FIXED -> step.writes("output", id, type(), capacity, IntCopyKernels.TO_AT);
      case SHIFT ->
          step.writes(
              "output", id, type(), capacity, inputs.getFirst().name(), IntCopyKernels.TO_AT);
      default ->
          step.writesFollowing(
              "output",
              id,
              type(),
              capacity,
              result(),
              new Layout.Follows(
                  inputs.stream().map(Input::name).toList(),
                  List.of(kind, start, most, inputs.getFirst().capacity())),
              lengths ->
                  inputs.stream()
                      .mapToInt(input -> count(lengths.length(input.name()), from, limit))
                      .sum(),
              IntCopyKernels.TO_AT);
    }
  }

  private void requireLeast(Lengths lengths) {
    String input = inputs.getFirst().name();
    if (lengths.length(input) < least) {
      throw new IllegalArgumentException(tooFew(id, input, least, "length", lengths.length(input)));
    }
  }

  private void launch(Launches launches, Setting setting, int from, int limit) {
    launches
        .kernels(IntCopyKernels.class, MoveLoops.bits(type()))
        .value("kind", kind)
        .value("inputs", inputs.size())
        .value("line", IntCopyKernels.LINE / type().bytes())
        .value("header", (int) TornadoNativeArray.ARRAY_HEADER / type().bytes());
    for (int i = 0; i < inputs.size(); i++) {
      Input input = inputs.get(i);
      int most = count(setting.capacity(input.capacity()), from, limit);
      long places = most + (long) IntCopyKernels.LINE; // the first tile begins before element 0
      Grid grid = Grid.of((int) (places / IntCopyKernels.TILE + 1), IntCopyKernels.THREADS);
      launches.bits("values", input.name()).value("number", i).launch("copy" + i, "copy", grid);
    }
  }

  private void copy(JvmRun run, int from, int limit, boolean isCut) {
    if (!isCut && least > 0) {
      requireLeast(run::length);
    }
    int all = 0;
    for (Input input : inputs) {
      all += count(run.length(input.name()), from, limit);
    }
    run.deliver(result(), all); // before, so that the output has room for no more
    MemorySegment output = run.output(id);
    int to = 0;
    for (Input input : inputs) {
      MemorySegment values = run.input(input.name());
      int length = run.length(input.name());
      int first = kind == LAST ? Math.max(length - limit, 0) : from;
      int count = count(length, from, limit);
      int low = Math.min(Math.max(-first, 0), count);
      int high = Math.max(Math.min(count, length - Math.max(first, 0)), low);
      fill(output, to, low);
      copy(values, first + low, output, to + low, high - low);
      fill(output, to + high, count - high);
      to += count;
    }
  }

  private void fill(MemorySegment output, int to, int count) {
    long bytes = type().bytes();
    MoveLoops.of(type())
        .fill(output.asSlice(to * bytes, count * bytes), count, MoveLoops.bits(type(), fill));
  }

  private void copy(MemorySegment values, int from, MemorySegment output, int to, int count) {
    long bytes = type().bytes();
    ParallelRows.run(
        count,
        ParallelRows.mayBeShared(values, output) ? count : 0,
        (first, end) ->
            MemorySegment.copy(
                values,
                (from + first) * bytes,
                output,
                (to + first) * bytes,
                (end - first) * bytes));
  }
}
