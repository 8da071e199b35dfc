package funnel.arrays;

import funnel.operation.Target;

class EmulatorGroupsTest extends GroupsContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 600};
  }
}
