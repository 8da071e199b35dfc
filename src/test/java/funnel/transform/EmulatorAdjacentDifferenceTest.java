package funnel.transform;

import funnel.emulator.EmulatorEngine;
import funnel.engine.Engine;

class EmulatorAdjacentDifferenceTest extends AdjacentDifferenceContract {

  @Override
  Engine open() {
    return new EmulatorEngine();
  }
}
