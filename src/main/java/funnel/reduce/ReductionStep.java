package funnel.reduce;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A reduction of one or two inputs to one value.
 *
 * @param id the name of the result, and of the reduction in its tasks' names
 * @param inputs one input, or two for a product of elements
 * @param element the inputs' type
 * @param accumulator the result's type
 * @param operator the operator
 * @param transformCode what is applied to elements first, a {@link TransformCode}
 * @param transform the user-defined function of an element, if the code says so
 * @param parameter the result that the transform reads: a sum of doubles, from which it computes
 *     the mean
 * @param capacity the largest number of elements
 * @param threads threads of a block
 */
record ReductionStep(
    String id,
    List<String> inputs,
    ElementType element,
    ElementType accumulator,
    Operator operator,
    int transformCode,
    @Nullable Transform transform,
    @Nullable String parameter,
    int capacity,
    int threads)
    implements Primitive {

  /** The default number of threads of a block. */
  static final int THREADS = 256;

  /**
   * Property: how often the block of the last row polls for another row's result; the default is
   * 65536, about a tenth of a second.
   */
  static final String POLLS_PROPERTY = "funnel.reduce.polls";

  private static final int POLLS = 1 << 16;

  /**
   * The largest capacity at which accumulators of 8 bytes are reduced in one launch: for a sum of
   * 2^28 longs, one launch takes longer than two.
   */
  private static final int LARGEST_WIDE = 1 << 24;

  /**
   * The most threads of a block in a reduction of one launch: with both kernels in one, a thread
   * needs more than 64 registers on the ptx backend, and TornadoVM then makes blocks smaller, with
   * only a warning, so that there are too few of them.
   */
  private static final int MOST_THREADS = 512;

  private boolean isOrdered() {
    return !operator.isCommutative();
  }

  /** Two inputs may have different offsets in arrays of a caller. */
  private int kernelCode(Setting setting) {
    return transformCode == TransformCode.PRODUCT
            && inputs.stream().anyMatch(setting.callers()::contains)
        ? TransformCode.PRODUCT_APART
        : transformCode;
  }

  /** User-defined functions may take longer than a block waits. */
  private boolean isInOneLaunch(Setting setting) {
    return setting.mayGiveUp()
        && !isOrdered()
        && threads <= MOST_THREADS
        && !operator.isUser()
        && transform == null
        && (plane() == 0 || capacity <= LARGEST_WIDE);
  }

  private LengthRule rows() {
    return isOrdered()
        ? ReductionTree.orderedRows()
        : ReductionTree.stripedRows(ReductionTree.lead(element));
  }

  /** From a row's first word to its second, or 0. */
  private int plane() {
    return accumulator.bytes() / Integer.BYTES - 1;
  }

  @Override
  public Step in(Setting setting) {
    String input = inputs.getFirst();
    String other = inputs.getLast();
    int blocks = rows().of(setting.capacity(capacity));
    boolean isInOneLaunch = isInOneLaunch(setting);
    String gaveUp = id + ".gaveup";
    Step step =
        Step.of(this, setting)
            .reads(
                "values",
                input,
                IntToIntReductionKernels.FROM_AT,
                IntToIntReductionKernels.LENGTH_AT)
            .readsFound("others", other)
            .number(
                IntToIntReductionKernels.APART_AT,
                lengths -> lengths.offset(other) - lengths.offset(input))
            .equallyLong(input, other, "inputs of %s are equally long".formatted(id))
            .delivers("result", id, accumulator)
            .scratch("partials", id + ".partials", accumulator, blocks)
            .combines(operator, input, accumulator, transform)
            .onDevice(launches -> launch(launches, kernelCode(setting), blocks, isInOneLaunch))
            .onJvm(this::reduce);
    if (parameter != null) {
      step.layout().besides(id, parameter);
    }
    if (isInOneLaunch) {
      step.reports("gaveUp", gaveUp, accumulator).gaveUpAt(gaveUp, _ -> "the last row");
    } else {
      step.scratch("gaveUp", gaveUp, accumulator, 2);
    }
    return isOrdered()
        ? step.derives(IntToIntReductionKernels.ORDERED_ROWS_AT, input, rows())
            .derives(
                IntToIntReductionKernels.ITEMS_OF_SEGMENT_AT,
                input,
                ReductionTree.itemsOfSegment(IntToIntReductionKernels.ORDERED_ROWS_AT))
        : step.filled("words", id + ".words", ElementType.LONG, 1 + blocks * (1 + plane()), 0)
            .derives(IntToIntReductionKernels.ROWS_AT, input, rows())
            .number(IntToIntReductionKernels.ORDERED_ROWS_AT, 0);
  }

  private void launch(Launches launches, int kernelCode, int blocks, boolean isInOneLaunch) {
    launches
        .value("operator", operator.code())
        .value("transform", kernelCode)
        .value("identity", operator.identity(accumulator))
        .value("lanes", ReductionTree.LANES / threads)
        .value("lead", ReductionTree.lead(element))
        .value("plane", plane())
        .value("polls", isInOneLaunch ? Integer.getInteger(POLLS_PROPERTY, POLLS) : 0)
        .value("parameterAt", launches.index(parameter == null ? id : parameter))
        .kernels(IntToIntReductionKernels.class, element, accumulator);
    if (isOrdered()) {
      launches
          .value("count", blocks)
          .launch("rows", "orderedRows", Grid.of(blocks, ReductionTree.ORDERED_THREADS))
          .launch("finish", "orderedFinish", Grid.of(1, ReductionTree.ORDERED_THREADS));
      return;
    }
    if (!isInOneLaunch) {
      launches.value("gaveUpAt", 0);
    }
    launches.launch("rows", "rows", Grid.of(blocks, threads));
    if (!isInOneLaunch) {
      launches.launch("finish", "finish", Grid.of(1, threads));
    }
  }

  /**
   * The accumulator on the JVM: an integer type if no sum is rounded, since the order is then free.
   * A sum of bytes is less than 2^39.
   */
  private ElementType onJvm() {
    if (!operator.equals(Operator.SUM)) {
      return accumulator;
    }
    boolean isSumOfBytes =
        element == ElementType.BYTE
            && accumulator == ElementType.DOUBLE
            && transformCode == TransformCode.IDENTITY;
    return transformCode == TransformCode.TEST
        ? ElementType.INT
        : isSumOfBytes ? ElementType.LONG : accumulator;
  }

  private Number ofAccumulator(Number value) {
    return switch (accumulator) {
      case BYTE, INT, FLOAT -> value;
      case LONG -> value.longValue();
      case DOUBLE -> value.doubleValue();
    };
  }

  /**
   * The JVM loops: a copy of the loop class with the operator and the transform as constants, and
   * with the user-defined functions.
   */
  private Loops loops() {
    Map<String, KernelCopies.Replacement> replacements = FunctionCopies.loopReplacements(operator);
    replacements.put("transform()I", new KernelCopies.Constant(transformCode));
    return FunctionCopies.loops(
        MethodHandles.lookup(),
        Loops.class,
        TwinClass.of(IntToIntReductionLoops.class, element, onJvm()),
        replacements,
        Stream.ofNullable(transform).toList());
  }

  private void reduce(JvmRun run) {
    String input = inputs.getFirst();
    int length = run.length(input);
    Number identity = operator.identity(onJvm());
    Number mean =
        parameter == null ? identity : (Number) (run.result(parameter).doubleValue() / length);
    OperatorThrewException.naming(
        operator,
        transform,
        () ->
            run.deliver(
                id,
                ofAccumulator(
                    run.kept(id, Loops.class, this::loops)
                        .reduce(
                            run.input(input),
                            run.input(inputs.getLast()),
                            length,
                            identity,
                            mean,
                            isOrdered()))));
  }

  /**
   * The JVM form of a reduction, for any types: what a loop class offers to {@link ReductionStep}.
   */
  interface Loops {

    /**
     * Reduces a range of elements.
     *
     * @param values the input: little-endian elements, on the heap or off it
     * @param others the second input, or {@code values} again
     * @param length elements of the input
     * @param identity identity over the accumulator type
     * @param parameter a value that the transform may use: the mean
     * @param ordered whether to use the ordered tree of {@link ReductionTree}
     */
    Number reduce(
        MemorySegment values,
        MemorySegment others,
        int length,
        Number identity,
        Number parameter,
        boolean ordered);
  }
}
