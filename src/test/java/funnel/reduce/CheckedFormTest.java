package funnel.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.engine.Program;
import funnel.engine.device.ProgramArrays;
import funnel.kernel.KernelTask;
import funnel.operation.Device;
import funnel.operation.Input;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The check of kernels runs those of the program, also where a long input has kernels of its own.
 */
class CheckedFormTest {

  @ParameterizedTest
  @ValueSource(ints = {5_000, 1 << 24, (1 << 24) + 1, 1 << 27})
  void aSumCutOff_hasTheKernelsOfAll(int capacity) {
    Input x = new Input("x", ElementType.DOUBLE, capacity);
    Program there =
        Program.of(List.of(x), Reduction.of(Operator.SUM).expand("y", List.of(x)).primitives())
            .on(Setting.on(new Device("NVIDIA H200", "ptx")), Map.of());
    assertEquals(kernels(there), kernels(there.in(Setting.within(5_000))));
  }

  private static List<Method> kernels(Program program) {
    ProgramArrays arrays =
        new ProgramArrays(program, Map.of(), (type, _) -> ProgramArrays.allocate(type, 1));
    return arrays.tasks().stream().map(KernelTask::method).map(m -> m.orElseThrow()).toList();
  }
}
