package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.operation.Device;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.UserOperators;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScanFormTest {

  private static ScanForm form(Operation scan, String backend, int capacity) {
    Input input = new Input("x", ElementType.LONG, capacity);
    Device device = new Device("NVIDIA H200", backend);
    return ((ScanStep) scan.expand("y", List.of(input)).primitives().getFirst())
        .form(Setting.on(device));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ptx", "cuda"})
  void manyElementsAreReadTwiceByAnOperatorOfTheUsers(String backend) {
    Scan sum = Scan.inclusive(Operator.SUM);
    Scan affine = Scan.inclusive(UserOperators.AFFINE);
    assertEquals(ScanForm.SINGLE_PASS, form(sum, backend, 1 << 28));
    assertEquals(ScanForm.SINGLE_PASS, form(affine, backend, 30_000_000));
    assertEquals(ScanForm.REDUCE_THEN_SCAN, form(affine, backend, Input.LARGEST_CAPACITY));
    assertEquals(ScanForm.SINGLE_PASS, form(affine.by(ScanForm.SINGLE_PASS), backend, 1 << 28));
  }
}
