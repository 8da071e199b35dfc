package funnel.arrays;

import funnel.operation.Target;

class EmulatorTablesTest extends TablesContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }
}
