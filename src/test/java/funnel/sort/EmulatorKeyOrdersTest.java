package funnel.sort;

import funnel.operation.Target;

class EmulatorKeyOrdersTest extends KeyOrdersContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 5000};
  }
}
