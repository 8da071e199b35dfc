package funnel.reduce;

import funnel.engine.DeviceArrays;
import funnel.engine.JvmRun;
import funnel.engine.Primitive;
import funnel.jit.KernelTask;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One reduction of one or two inputs to one value: {@link ReduceKernels} and {@link
 * ReduceLoopCopies} hold its forms.
 *
 * @param id name of the result and, in its tasks' names, of the reduction
 * @param inputs one input, or two for a product of elements
 * @param element the inputs' type
 * @param accumulator the result's type
 * @param operator the operator
 * @param transformCode what is done to elements first, a {@link TransformCode}
 * @param transform the user's function of an element, if the code names one
 * @param parameter the result that the transform reads: a sum of doubles, whose mean it takes
 * @param capacity the most elements
 * @param threads threads of a block
 * @param apart whether two inputs may lie at different places of their arrays
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
    boolean apart)
    implements Primitive {

  /** Threads of a block unless a caller says otherwise. */
  static final int THREADS = 256;

  /** Where kernels find how far behind an element the second input's is in its array. */
  static final int APART = ReduceTree.SHAPE_INTS;

  private static final int SHAPE_INTS = APART + 1;

  private boolean isOrdered() {
    return !operator.isCommutative();
  }

  private int kernelCode() {
    return apart ? TransformCode.PRODUCT_APART : transformCode;
  }

  @Override
  public Primitive over(Set<String> arrays) {
    boolean mayBeApart =
        transformCode == TransformCode.PRODUCT && inputs.stream().anyMatch(arrays::contains);
    return mayBeApart ? with(capacity, true) : this;
  }

  private Reduce with(int most, boolean isApart) {
    return new Reduce(
        id,
        inputs,
        element,
        accumulator,
        operator,
        transformCode,
        transform,
        parameter,
        most,
        threads,
        isApart);
  }

  private int blocks() {
    return isOrdered()
        ? ReduceTree.orderedRows(capacity)
        : ReduceTree.stripedRows(capacity, ReduceTree.lead(element));
  }

  private String partials() {
    return id + ".partials";
  }

  @Override
  public String signature() {
    return "reduce %s to %s by %s%s"
        .formatted(
            element,
            accumulator,
            ReduceKernels.of(this).getClass().getSimpleName(),
            "/%s/%d/%s/%d"
                .formatted(operator, kernelCode(), isOrdered() ? "ordered" : "striped", threads)
                .toLowerCase(Locale.ROOT));
  }

  @Override
  public List<Slot> results() {
    return List.of(new Slot(id, accumulator, 1));
  }

  @Override
  public List<Slot> scratch() {
    return List.of(new Slot(partials(), accumulator, blocks()));
  }

  @Override
  public int shapeInts() {
    return SHAPE_INTS;
  }

  @Override
  public void requireLengths(Lengths lengths) {
    int first = lengths.length(inputs.getFirst());
    int last = lengths.length(inputs.getLast());
    if (first != last) {
      throw new IllegalArgumentException(
          "inputs of %s differ in length: %s=%d, %s=%d"
              .formatted(id, inputs.getFirst(), first, inputs.getLast(), last));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    String input = inputs.getFirst();
    int offset = lengths.offset(input);
    int[] shape =
        Arrays.copyOf(
            ReduceTree.shape(offset, lengths.length(input), ReduceTree.lead(element), isOrdered()),
            SHAPE_INTS);
    shape[APART] = lengths.offset(inputs.getLast()) - offset;
    return shape;
  }

  @Override
  public List<KernelTask> tasks(DeviceArrays arrays) {
    ReduceTasks kernels = ReduceKernels.of(this);
    Object partials = arrays.array(partials());
    ReduceTasks.Arguments arguments =
        new ReduceTasks.Arguments(
            arrays.shape(),
            arrays.array(inputs.getFirst()),
            arrays.array(inputs.getLast()),
            parameter == null ? partials : arrays.array(parameter),
            partials,
            arrays.array(id),
            operator.code(),
            kernelCode(),
            operator.identity(accumulator),
            arrays.shapeAt(this),
            parameter == null ? 0 : arrays.index(parameter),
            arrays.index(id));
    if (isOrdered()) {
      return List.of(
          kernels.orderedRows(KernelTask.id(id, "rows"), blocks(), arguments),
          kernels.orderedFinish(KernelTask.id(id, "finish"), blocks(), arguments));
    }
    return List.of(
        kernels.rows(KernelTask.id(id, "rows"), blocks(), threads, arguments),
        kernels.finish(KernelTask.id(id, "finish"), blocks(), threads, arguments));
  }

  @Override
  public void requireForDevice() {
    var _ = ReduceKernels.of(this);
  }

  @Override
  public List<Combined> combined() {
    return List.of(new Combined(operator, inputs.getFirst(), accumulator, transform));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    String input = inputs.getFirst();
    int length = run.length(input);
    Number mean =
        parameter == null
            ? operator.identity(accumulator)
            : (Number) (run.result(parameter).doubleValue() / length);
    OperatorThrewException.naming(
        operator,
        transform,
        () ->
            run.deliver(
                id,
                ReduceLoopCopies.of(this)
                    .reduce(
                        run.input(input),
                        run.input(inputs.getLast()),
                        length,
                        operator.function(),
                        transform == null ? null : transform.function(),
                        operator.identity(accumulator),
                        mean,
                        isOrdered())));
  }

  @Override
  public Primitive withCapacity(int most) {
    return with(Math.min(capacity, most), apart);
  }

  @Override
  public boolean mayBeContracted() {
    return accumulator.isFloating() && (operator.isUser() || transform != null);
  }
}
