package funnel.transform;

import funnel.operation.Target;

class EmulatorShuffleTest extends ShuffleContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 63, 64, 257, 1000};
  }
}
