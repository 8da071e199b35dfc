package funnel.engine;

import funnel.emulator.EmulatorEngine;

class EmulatorFoundLengthTest extends FoundLengthContract {

  @Override
  Engine engine() {
    return new EmulatorEngine();
  }
}
