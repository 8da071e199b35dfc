package funnel.transform;

import funnel.operation.Target;

class EmulatorCopyTest extends CopyContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 257, TILE - 1, TILE + 1, 2 * TILE + 300};
  }
}
