package funnel;

import funnel.operation.Target;

class EmulatorFoundSortsTest extends FoundSortsContract {

  @Override
  Target target() {
    return Target.EMULATOR;
  }
}
