package funnel.rank;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * For the elements {@code a, b} of each pair, {@code y[i] = }{@link Quantiles#between
 * between}{@code (a, b, weights[i])}.
 *
 * <p>Between 1 and 5 with the weight 0.25 it is 2.
 *
 * @param values the pairs; may be empty
 */
record InterpolateStep(String id, String values, String weights, ElementType type, int pairs)
    implements Primitive {

  static final ValueLayout.OfDouble WEIGHTS = ValueLayout.JAVA_DOUBLE_UNALIGNED;

  @Override
  public Step in(Setting setting) {
    String count = id + ".count";
    return Step.of(this, setting)
        .reads("values", values, IntInterpolateKernels.FROM_AT)
        .reads("weights", weights)
        .derives(IntInterpolateKernels.LENGTH_AT, values, LengthRule.parts(2))
        .delivers("count", count, ElementType.INT)
        .scratch("products", id + ".products", ElementType.DOUBLE, pairs)
        .writesFound(
            "output", id, ElementType.DOUBLE, pairs, count, null, IntInterpolateKernels.TO_AT)
        .onDevice(
            launches ->
                launches
                    .kernels(IntInterpolateKernels.class, type)
                    .launch(
                        "interpolate",
                        "interpolate",
                        Grid.of(
                            Math.ceilDiv(pairs, IntInterpolateKernels.THREADS),
                            IntInterpolateKernels.THREADS)))
        .onJvm(run -> run.deliver(count, interpolate(run)));
  }

  private int interpolate(JvmRun run) {
    MemorySegment elements = run.input(values);
    MemorySegment shares = run.input(weights);
    MemorySegment output = run.output(id);
    int length = run.length(values) / 2;
    for (int i = 0; i < length; i++) {
      double first = JvmRun.element(elements, type, 2L * i).doubleValue();
      double second = JvmRun.element(elements, type, 2L * i + 1).doubleValue();
      double weight = shares.getAtIndex(WEIGHTS, i);
      output.setAtIndex(WEIGHTS, i, Quantiles.between(first, second, weight));
    }
    return length;
  }
}
