package funnel.transform;

import funnel.operation.Target;

class EmulatorMoveTest extends MoveContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 255, 256, 1023, 1024, 1025, 2 * 1024 + 257};
  }
}
