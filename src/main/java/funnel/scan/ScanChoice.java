package funnel.scan;

import funnel.operator.ElementType;
import funnel.operator.Operator;

/** Which form a scan takes on a device unless {@link Scan#by} names one. */
final class ScanChoice {

  private ScanChoice() {}

  static ScanForm of(ElementType accumulator, Operator operator, int capacity) {
    return accumulator.isFloating() ? ScanForm.REDUCE_THEN_SCAN : ScanForm.SINGLE_PASS;
  }
}
