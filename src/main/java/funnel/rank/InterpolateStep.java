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
 * @param id its name and that of the array of doubles
 * @param values the pairs; may be empty
 * @param weights the weights of the second elements
 * @param type the type of the elements
 * @param pairs the number of pairs
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

  private double value(MemorySegment elements, int i) {
    return switch (type) {
      case BYTE -> elements.get(ValueLayout.JAVA_BYTE, i) & 0xff;
      case INT -> elements.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
      case LONG -> (double) elements.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i);
      case FLOAT -> elements.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i);
      case DOUBLE -> elements.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * i);
    };
  }

  private int interpolate(JvmRun run) {
    MemorySegment elements = run.input(values);
    MemorySegment shares = run.input(weights);
    MemorySegment output = run.output(id);
    int length = run.length(values) / 2;
    for (int i = 0; i < length; i++) {
      double first = value(elements, 2 * i);
      double second = value(elements, 2 * i + 1);
      double weight = shares.getAtIndex(WEIGHTS, i);
      output.setAtIndex(WEIGHTS, i, Quantiles.between(first, second, weight));
    }
    return length;
  }
}
