package funnel.arrays;

import funnel.operation.Target;

class EmulatorNamesTest extends NamesContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }
}
