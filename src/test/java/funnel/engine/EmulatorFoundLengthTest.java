package funnel.engine;

import funnel.emulator.EmulatorEngine;
import funnel.operation.Target;

class EmulatorFoundLengthTest extends FoundLengthContract {

  @Override
  Target target() {
    return Target.EMULATOR;
  }

  @Override
  Engine engine() {
    return new EmulatorEngine();
  }
}
