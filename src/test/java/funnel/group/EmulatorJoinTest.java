package funnel.group;

import funnel.operation.Target;

class EmulatorJoinTest extends JoinContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 1100};
  }
}
