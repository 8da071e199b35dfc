package funnel.arrays;

import funnel.operation.Target;

class EmulatorArrayChainsTest extends ArrayChainsContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  int chains() {
    return 15;
  }
}
