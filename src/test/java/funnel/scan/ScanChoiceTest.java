package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.operation.Device;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.UserOperators;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScanChoiceTest {

  @ParameterizedTest
  @CsvSource({"NVIDIA H200, ptx", "NVIDIA H200, cuda", "another, ptx", "another, another"})
  void nearestMeasurementDecides(String name, String backend) {
    Device device = new Device(name, backend);
    for (ElementType type : ElementType.values()) {
      if (type != ElementType.BYTE) {
        assertEquals(ScanForm.SINGLE_PASS, ScanChoice.of(device, Operator.SUM, type, 1 << 28));
        assertEquals(ScanForm.SINGLE_PASS, ScanChoice.of(device, Operator.MAX, type, 0));
      }
    }
    Operator affine = UserOperators.AFFINE;
    assertEquals(ScanForm.SINGLE_PASS, ScanChoice.of(device, affine, ElementType.LONG, 30_000_000));
    assertEquals(
        ScanForm.REDUCE_THEN_SCAN,
        ScanChoice.of(device, affine, ElementType.LONG, Integer.MAX_VALUE));
    assertEquals(ScanForm.SINGLE_PASS, ScanChoice.ofSegments(device, ElementType.FLOAT, 1 << 24));
  }
}
