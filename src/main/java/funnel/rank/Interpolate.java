package funnel.rank;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;

/**
 * Doubles between the two elements of each pair.
 *
 * <p>Between 1 and 5 with the weight 0.25 it is 2.
 *
 * @param id its name and that of the array of doubles
 * @param values the pairs; may be empty
 * @param weights the weights of the second elements
 * @param type the type of the elements
 * @param pairs the number of pairs
 */
record Interpolate(String id, String values, String weights, ElementType type, int pairs)
    implements Primitive {

  static final ValueLayout.OfDouble WEIGHTS = ValueLayout.JAVA_DOUBLE_UNALIGNED;

  private String count() {
    return id + ".count";
  }

  @Override
  public Layout layout() {
    return Layout.reads(values, weights)
        .derives(0, values, LengthRule.parts(2))
        .delivers(count(), ElementType.INT)
        .scratch(id + ".products", ElementType.DOUBLE, pairs)
        .writesFound(id, ElementType.DOUBLE, pairs, count());
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {0, lengths.offset(values), lengths.offset(id)};
  }

  @Override
  public void launch(Launches launches) {
    launches
        .array("values", values)
        .array("weights", weights)
        .array("products", id + ".products")
        .array("output", id)
        .result("count", count())
        .add(
            "interpolate",
            TwinClass.of(MethodHandles.lookup(), IntInterpolateKernels.class, type),
            "interpolate",
            Grid.of(
                Math.ceilDiv(pairs, IntInterpolateKernels.THREADS), IntInterpolateKernels.THREADS));
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

  @Override
  public void runOnJvm(JvmRun run) {
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
    run.deliver(count(), length);
  }

  @Override
  public Primitive in(Setting setting) {
    return this;
  }
}
