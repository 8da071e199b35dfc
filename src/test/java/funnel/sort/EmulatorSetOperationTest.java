package funnel.sort;

import funnel.operation.Target;

class EmulatorSetOperationTest extends SetOperationContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }
}
