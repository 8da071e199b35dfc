package funnel.functions;

import funnel.operation.Target;

class EmulatorTableTest extends TableContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 2100};
  }
}
