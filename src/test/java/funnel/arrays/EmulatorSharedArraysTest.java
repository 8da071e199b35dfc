package funnel.arrays;

import funnel.operation.Target;

class EmulatorSharedArraysTest extends SharedArraysContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }
}
