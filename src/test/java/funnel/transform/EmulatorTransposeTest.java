package funnel.transform;

import funnel.operation.Target;

class EmulatorTransposeTest extends TransposeContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 2, 4095, 4096, 4097, 9000};
  }
}
