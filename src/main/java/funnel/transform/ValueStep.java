package funnel.transform;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.LengthRule;
import funnel.operation.Output;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * An array of the single value of an earlier operation, for later ones on the device.
 *
 * @param id the name of the array
 * @param output the value
 */
record ValueStep(String id, Output output) implements Primitive {

  @Override
  public Step in(Setting setting) {
    Output.OnDevice finish = (Output.OnDevice) output.finish();
    Step step =
        Step.of(this, setting)
            .writes("value", id, finish.to(), 1, IntToIntValueKernels.TO_AT)
            .counts()
            .onDevice(
                launches ->
                    launches
                        .result("result", finish.result())
                        .value("isQuotient", finish.fewer() < 0 ? 0 : 1)
                        .value("fewer", Math.max(finish.fewer(), 0))
                        .kernels(IntToIntValueKernels.class, finish.type(), finish.to())
                        .launch("compute", "compute", Grid.of(1, 1)))
            .onJvm(
                run -> {
                  int length = finish.fewer() < 0 ? 0 : run.length(output.input());
                  set(run.output(id), finish.value(run::result, length));
                });
    if (finish.fewer() < 0) {
      return step.number(IntToIntValueKernels.LENGTH_AT, 0);
    }
    step.layout().readsFound(output.input());
    return step.derives(IntToIntValueKernels.LENGTH_AT, output.input(), LengthRule.LENGTH);
  }

  private static void set(MemorySegment to, Number value) {
    switch (value) {
      case Long v -> to.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, v);
      case Float v -> to.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 0, v);
      case Double v -> to.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0, v);
      default -> to.set(ValueLayout.JAVA_INT_UNALIGNED, 0, value.intValue());
    }
  }
}
