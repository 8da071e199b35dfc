package funnel.group;

import funnel.operation.Target;

class EmulatorGroupByTest extends GroupByContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 2049, 4500};
  }
}
