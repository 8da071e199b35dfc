package funnel;

import funnel.operation.Target;

class EmulatorFoundLengthsTest extends FoundLengthsContract {

  @Override
  Target target() {
    return Target.EMULATOR;
  }
}
