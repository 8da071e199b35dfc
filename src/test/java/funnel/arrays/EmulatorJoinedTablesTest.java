package funnel.arrays;

import funnel.operation.Target;

class EmulatorJoinedTablesTest extends JoinedTablesContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 600};
  }
}
