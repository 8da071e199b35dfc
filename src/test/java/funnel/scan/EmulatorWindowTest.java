package funnel.scan;

import funnel.operation.Target;

class EmulatorWindowTest extends WindowContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 2, 33, 1025, 1535, 1537, 4000};
  }
}
