package funnel.stream;

import funnel.operation.Target;

class EmulatorStreamReduceTest extends StreamReduceContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }
}
