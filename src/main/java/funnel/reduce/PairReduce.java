package funnel.reduce;

import funnel.engine.DeviceArrays;
import funnel.engine.JvmRun;
import funnel.engine.Launches;
import funnel.engine.Primitive;
import funnel.jit.FunctionCopies;
import funnel.jit.KernelTask;
import funnel.jit.KernelTask.Grid;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * One reduction of an input to two values.
 *
 * @param id begins the names of its results and tasks
 * @param input the input's name
 * @param element the input's type
 * @param code a {@link PairCode}
 * @param capacity the most elements
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

  private int blocks() {
    return ReduceTree.stripedRows(capacity, ReduceTree.lead(element));
  }

  @Override
  public String signature() {
    return "reduce %s to a pair, %d".formatted(element, code);
  }

  @Override
  public List<String> inputs() {
    return List.of(input);
  }

  @Override
  public List<Slot> results() {
    return List.of(new Slot(first(), firstType(), 1), new Slot(second(), secondType(), 1));
  }

  @Override
  public List<Slot> scratch() {
    return List.of(
        new Slot(first() + ".partials", firstType(), blocks()),
        new Slot(second() + ".partials", secondType(), blocks()));
  }

  @Override
  public int[] shape(Lengths lengths) {
    return ReduceTree.shape(
        lengths.offset(input), lengths.length(input), ReduceTree.lead(element), false);
  }

  @Override
  public List<KernelTask> tasks(DeviceArrays arrays) {
    Class<?> kernels =
        TwinClass.of(MethodHandles.lookup(), IntToIntPairKernels.class, element, secondType());
    return new Launches(this, arrays)
        .array("values", input)
        .array("firstPartials", first() + ".partials")
        .array("secondPartials", second() + ".partials")
        .result("firstResult", first())
        .result("secondResult", second())
        .value("code", code)
        .value("lead", ReduceTree.lead(element))
        .value("count", blocks())
        .add("rows", kernels, "rows", Grid.of(blocks(), IntToIntPairKernels.THREADS))
        .add("finish", kernels, "finish", Grid.of(1, IntToIntPairKernels.THREADS))
        .tasks();
  }

  private PairLoops loops() {
    return FunctionCopies.instance(
        MethodHandles.lookup(),
        PairLoops.class,
        TwinClass.of(MethodHandles.lookup(), IntPairLoops.class, element));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    int length = run.length(input);
    if (length == 0) {
      run.deliver(first(), 0);
      run.deliver(second(), 0);
      return;
    }
    Number[] pair = loops().reduce(run.input(input), length, code);
    run.deliver(first(), pair[0]);
    run.deliver(second(), pair[1]);
  }

  @Override
  public Primitive withCapacity(int most) {
    return new PairReduce(id, input, element, code, Math.min(capacity, most));
  }
}
