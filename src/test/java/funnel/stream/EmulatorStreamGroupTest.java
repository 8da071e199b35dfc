package funnel.stream;

import funnel.operation.Target;

class EmulatorStreamGroupTest extends StreamGroupContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  int piece() {
    return 500;
  }
}
