package funnel;

import funnel.operation.Target;

class EmulatorKeptArrayTest extends KeptArrayContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 2, 31, 33, 700};
  }

  @Override
  int cycles() {
    return 60;
  }
}
