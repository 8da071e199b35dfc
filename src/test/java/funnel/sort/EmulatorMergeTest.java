package funnel.sort;

import funnel.operation.Target;

class EmulatorMergeTest extends MergeContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }
}
