package funnel.arrays;

import funnel.operation.Target;

class EmulatorRandomTablesTest extends RandomTablesContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  int tables() {
    return 20;
  }
}
