package funnel.reduce;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.invoke.MethodHandles;

/**
 * A reduction of an input to two values.
 *
 * @param id the beginning of the names of its results and tasks
 * @param input the input's name
 * @param element the input's type
 * @param code a {@link PairCode}
 * @param capacity the largest number of elements
 */
record PairReduce(String id, String input, ElementType element, int code, int capacity)
    implements Primitive {

  String first() {
    return id + ".first";
  }

  String second() {
    return id + ".second";
  }

  /** The type of an element's value. */
  private ElementType firstType() {
    return element == ElementType.BYTE ? ElementType.INT : element;
  }

  private ElementType secondType() {
    return code == PairCode.MIN_MAX ? firstType() : ElementType.INT;
  }

  private LengthRule rows() {
    return ReduceTree.stripedRows(ReduceTree.lead(element));
  }

  private int blocks() {
    return rows().of(capacity);
  }

  @Override
  public Layout layout() {
    return Layout.reads(input)
        .derives(1, input)
        .derives(2, input, rows())
        .delivers(first(), firstType())
        .delivers(second(), secondType())
        .scratch(first() + ".partials", firstType(), blocks())
        .scratch(second() + ".partials", secondType(), blocks());
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      lengths.offset(input),
      0, // length
      0 // rows
    };
  }

  @Override
  public void launch(Launches launches) {
    Class<?> kernels =
        TwinClass.of(MethodHandles.lookup(), IntToIntPairKernels.class, element, secondType());
    launches
        .array("values", input)
        .array("firstPartials", first() + ".partials")
        .array("secondPartials", second() + ".partials")
        .result("firstResult", first())
        .result("secondResult", second())
        .value("code", code)
        .value("lead", ReduceTree.lead(element))
        .value("count", blocks())
        .add("rows", kernels, "rows", Grid.of(blocks(), IntToIntPairKernels.THREADS))
        .add("finish", kernels, "finish", Grid.of(1, IntToIntPairKernels.THREADS));
  }

  private PairLoops loops() {
    return FunctionCopies.instance(
        MethodHandles.lookup(),
        PairLoops.class,
        TwinClass.of(MethodHandles.lookup(), IntPairLoops.class, element));
  }

  @Override
  public Primitive in(Setting setting) {
    return new PairReduce(id, input, element, code, setting.capacity(capacity));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    int length = run.length(input);
    if (length == 0) {
      run.deliver(first(), 0);
      run.deliver(second(), 0);
      return;
    }
    Number[] pair =
        run.kept(id, PairLoops.class, this::loops).reduce(run.input(input), length, code);
    run.deliver(first(), pair[0]);
    run.deliver(second(), pair[1]);
  }
}
