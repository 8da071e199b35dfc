package funnel.engine;

import funnel.emulator.EmulatorEngine;

class EmulatorRoutineTest extends RoutineContract {

  @Override
  Engine engine() {
    return new EmulatorEngine();
  }
}
