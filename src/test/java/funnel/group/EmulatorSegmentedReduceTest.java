package funnel.group;

import funnel.operation.Target;

class EmulatorSegmentedReduceTest extends SegmentedReduceContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 2049, 4500};
  }
}
