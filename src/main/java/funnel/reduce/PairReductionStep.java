package funnel.reduce;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/**
 * A reduction of an input to two values.
 *
 * @param id prefix of the names of its results and tasks
 * @param input the input's name
 * @param element the input's type
 * @param code a {@link PairCode}
 * @param capacity the largest number of elements
 */
record PairReductionStep(String id, String input, ElementType element, int code, int capacity)
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

  @Override
  public Step in(Setting setting) {
    LengthRule rows = ReductionTree.stripedRows(ReductionTree.lead(element));
    int blocks = rows.of(setting.capacity(capacity));
    return Step.of(this, setting)
        .reads(
            "values",
            input,
            IntToIntPairReductionKernels.FROM_AT,
            IntToIntPairReductionKernels.LENGTH_AT)
        .derives(IntToIntPairReductionKernels.ROWS_AT, input, rows)
        .delivers("firstResult", first(), firstType())
        .delivers("secondResult", second(), secondType())
        .scratch("firstPartials", first() + ".partials", firstType(), blocks)
        .scratch("secondPartials", second() + ".partials", secondType(), blocks)
        .onDevice(
            launches ->
                launches
                    .value("code", code)
                    .value("lead", ReductionTree.lead(element))
                    .value("count", blocks)
                    .kernels(IntToIntPairReductionKernels.class, element, secondType())
                    .launch("rows", "rows", Grid.of(blocks, IntToIntPairReductionKernels.THREADS))
                    .launch("finish", "finish", Grid.of(1, IntToIntPairReductionKernels.THREADS)))
        .onJvm(this::reduce);
  }

  private Loops loops() {
    return FunctionCopies.instance(
        MethodHandles.lookup(), Loops.class, TwinClass.of(IntPairReductionLoops.class, element));
  }

  private void reduce(JvmRun run) {
    int length = run.length(input);
    if (length == 0) { // not defined, but as kernels deliver it
      run.deliver(first(), firstType().fitting(first(), 0));
      run.deliver(
          second(), code == PairCode.MIN_MAX ? firstType().fitting(second(), 0) : (Number) (-1));
      return;
    }
    Number[] pair = run.kept(id, Loops.class, this::loops).reduce(run.input(input), length, code);
    run.deliver(first(), pair[0]);
    run.deliver(second(), pair[1]);
  }

  /** The JVM form of a reduction to two values, for any type. */
  interface Loops {

    /** Both values of the {@link PairCode} over a non-empty input. */
    Number[] reduce(MemorySegment values, int length, int code);
  }
}
