package funnel.reduce;

import funnel.jit.Calls;
import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
 * @param apart whether two inputs may have different offsets in their arrays
 * @param inOneLaunch whether a device may compute it in one launch
 */
record Reduce(
    String id,
    List<String> inputs,
    ElementType element,
    ElementType accumulator,
    Operator operator,
    int transformCode,
    @Nullable Transform transform,
    @Nullable String parameter,
    int capacity,
    int threads,
    boolean apart,
    boolean inOneLaunch)
    implements Primitive {

  /** The default number of threads of a block. */
  static final int THREADS = 256;

  /** Where kernels find the difference between the second input's offset and the first's. */
  static final int APART = 3;

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

  /** Where kernels find the rows of the ordered tree, from which the items of a segment follow. */
  private static final int ORDERED_ROWS = 4;

  private boolean isOrdered() {
    return !operator.isCommutative();
  }

  private int kernelCode() {
    return apart ? TransformCode.PRODUCT_APART : transformCode;
  }

  @Override
  public Primitive in(Setting setting) {
    boolean mayBeApart =
        transformCode == TransformCode.PRODUCT
            && inputs.stream().anyMatch(setting.callers()::contains);
    return new Reduce(
        id,
        inputs,
        element,
        accumulator,
        operator,
        transformCode,
        transform,
        parameter,
        setting.capacity(capacity),
        threads,
        apart || mayBeApart,
        inOneLaunch && setting.mayGiveUp());
  }

  /** User-defined functions may take longer than a block waits. */
  private boolean isInOneLaunch() {
    return inOneLaunch
        && !isOrdered()
        && threads <= MOST_THREADS
        && !operator.isUser()
        && transform == null
        && (plane() == 0 || capacity <= LARGEST_WIDE);
  }

  private LengthRule rows() {
    return isOrdered()
        ? ReduceTree.orderedRows()
        : ReduceTree.stripedRows(ReduceTree.lead(element));
  }

  private int blocks() {
    return rows().of(capacity);
  }

  /** From a row's first word to its second, or 0. */
  private int plane() {
    return accumulator.bytes() / Integer.BYTES - 1;
  }

  private String gaveUpName() {
    return id + ".gaveup";
  }

  private String partials() {
    return id + ".partials";
  }

  @Override
  public Layout layout() {
    String input = inputs.getFirst();
    Layout layout =
        Layout.reads(input)
            .readsFound(inputs.getLast())
            .sameLength(input, inputs.getLast())
            .derives(1, input)
            .delivers(id, accumulator)
            .scratch(partials(), accumulator, blocks());
    if (isInOneLaunch()) {
      layout.reports(gaveUpName(), accumulator);
    } else {
      layout.scratch(gaveUpName(), accumulator, 2);
    }
    return isOrdered()
        ? layout
            .derives(ORDERED_ROWS, input, rows())
            .derives(2, input, ReduceTree.itemsOfSegment(ORDERED_ROWS))
        : layout
            .filled(id + ".words", ElementType.LONG, 1 + blocks() * (1 + plane()), 0)
            .derives(2, input, rows());
  }

  @Override
  public void requireLengths(Lengths lengths) {
    int first = lengths.length(inputs.getFirst());
    int last = lengths.length(inputs.getLast());
    if (first != last) {
      throw new IllegalArgumentException(
          "inputs of %s differ in length: %s=%s, %s=%s"
              .formatted(id, inputs.getFirst(), first, inputs.getLast(), last));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    String input = inputs.getFirst();
    return new int[] {
      lengths.offset(input),
      0, // length
      0, // rows, or items of a segment of the ordered tree
      lengths.offset(inputs.getLast()) - lengths.offset(input),
      0 // rows of the ordered tree
    };
  }

  @Override
  public void launch(Launches launches) {
    launches
        .array("values", inputs.getFirst())
        .array("others", inputs.getLast())
        .array("partials", partials())
        .result("result", id)
        .value("operator", operator.code())
        .value("transform", kernelCode())
        .value("identity", operator.identity(accumulator))
        .value("lanes", ReduceTree.LANES / threads)
        .value("lead", ReduceTree.lead(element))
        .value("plane", plane())
        .value("polls", isInOneLaunch() ? Integer.getInteger(POLLS_PROPERTY, POLLS) : 0)
        .value("parameterAt", launches.index(parameter == null ? id : parameter));
    Class<?> kernels = kernels();
    if (isOrdered()) {
      launches
          .value("count", blocks())
          .add("rows", kernels, "orderedRows", Grid.of(blocks(), ReduceTree.ORDERED_THREADS))
          .add("finish", kernels, "orderedFinish", Grid.of(1, ReduceTree.ORDERED_THREADS));
      return;
    }
    launches.array("words", id + ".words");
    if (isInOneLaunch()) {
      launches
          .result("gaveUp", gaveUpName())
          .add("rows", kernels, "rows", Grid.of(blocks(), threads));
      return;
    }
    launches
        .array("gaveUp", gaveUpName())
        .value("gaveUpAt", 0)
        .add("rows", kernels, "rows", Grid.of(blocks(), threads))
        .add("finish", kernels, "finish", Grid.of(1, threads));
  }

  @Override
  public String gaveUp(Function<String, Number> results, Lengths lengths) {
    boolean isRight = !isInOneLaunch() || results.apply(gaveUpName()).intValue() == 0;
    return isRight ? "" : "the last row";
  }

  private Class<?> kernels() {
    Class<?> kernels =
        TwinClass.of(MethodHandles.lookup(), IntToIntReduceKernels.class, element, accumulator);
    return FunctionCopies.kernels(
        MethodHandles.lookup(), kernels, operator, Stream.ofNullable(transform).toList());
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
   * with the user-defined functions compiled in if they can be copied.
   */
  private ReduceLoops loops() {
    Map<String, KernelCopies.Replacement> replacements = FunctionCopies.loopReplacements(operator);
    int code = transformCode;
    if (transform != null) {
      if (KernelCopies.whyNotCopyable(transform.function()).isPresent()) {
        code = transform.isTest() ? Calls.TEST : Calls.MAP;
      } else {
        replacements.put(
            FunctionCopies.transformKey(transform), new KernelCopies.Body(transform.function()));
      }
    }
    replacements.put("transform()I", new KernelCopies.Constant(code));
    Class<?> loops =
        TwinClass.of(MethodHandles.lookup(), IntToIntReduceLoops.class, element, onJvm());
    return FunctionCopies.instance(
        MethodHandles.lookup(),
        ReduceLoops.class,
        KernelCopies.copy(MethodHandles.lookup(), loops, replacements));
  }

  @Override
  public List<Combined> combined() {
    return List.of(new Combined(operator, inputs.getFirst(), accumulator, transform));
  }

  @Override
  public void runOnJvm(JvmRun run) {
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
                    run.kept(id, ReduceLoops.class, this::loops)
                        .reduce(
                            run.input(input),
                            run.input(inputs.getLast()),
                            length,
                            operator.function(),
                            transform == null ? null : transform.function(),
                            identity,
                            mean,
                            isOrdered()))));
  }
}
