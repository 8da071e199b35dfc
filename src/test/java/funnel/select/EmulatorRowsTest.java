package funnel.select;

import funnel.operation.Target;

class EmulatorRowsTest extends RowsContract {

  @Override
  Target target() {
    return Target.EMULATOR;
  }

  @Override
  int[] lengths() {
    return new int[] {0, 1, 33, 2047, 2049, 4091, 4093, 9000};
  }
}
