package funnel.engine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.engine.Program;
import funnel.histogram.Histogram;
import funnel.operation.Device;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.sort.Order;
import funnel.sort.Sort;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The check of kernels runs those of the program, also where a long input has kernels of its own.
 */
class CheckedFormTest {

  static Stream<Arguments> programs() {
    Map<String, Operation> operations =
        Map.of(
            "sum", Reduction.of(Operator.SUM),
            "largest", Reduction.of(Operator.MAX),
            "scan", Scan.inclusive(Operator.SUM),
            "sort", Sort.ascending(),
            "order", Order.descending(),
            "histogram", Histogram.ofKeys(256));
    return operations.entrySet().stream()
        .flatMap(
            operation ->
                Stream.of(ElementType.INT, ElementType.LONG, ElementType.DOUBLE)
                    .filter(type -> !operation.getKey().equals("histogram") || !type.isFloating())
                    .flatMap(
                        type ->
                            IntStream.of(5_000, 1 << 22, (1 << 22) + 1, (1 << 24) + 1, 1 << 27)
                                .mapToObj(
                                    capacity ->
                                        Arguments.of(
                                            operation.getKey(),
                                            operation.getValue(),
                                            type,
                                            capacity))));
  }

  @ParameterizedTest(name = "{0} of {3} {2}s")
  @MethodSource("programs")
  void aProgramCutOff_hasTheKernelsOfAll(
      String name, Operation operation, ElementType type, int capacity) {
    Input x = new Input("x", type, capacity);
    Program there =
        Program.of(List.of(x), operation.expand("y", List.of(x)).primitives())
            .on(Setting.on(new Device("NVIDIA H200", "ptx")), Map.of());
    assertEquals(kernels(there), kernels(there.in(Setting.within(5_000))));
  }

  private static Set<Method> kernels(Program program) {
    ProgramArrays arrays =
        new ProgramArrays(program, Map.of(), (type, _) -> ProgramArrays.allocate(type, 1));
    Set<Method> kernels = new LinkedHashSet<>();
    arrays.tasks().forEach(task -> kernels.add(task.method().orElseThrow()));
    return kernels;
  }
}
