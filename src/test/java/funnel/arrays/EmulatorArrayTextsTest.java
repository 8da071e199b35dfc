package funnel.arrays;

import funnel.operation.Target;

class EmulatorArrayTextsTest extends ArrayTextsContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }
}
