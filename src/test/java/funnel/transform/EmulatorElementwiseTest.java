package funnel.transform;

import funnel.operation.Target;

class EmulatorElementwiseTest extends ElementwiseContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 257, TILE - 5, TILE - 4, TILE - 1, TILE, TILE + 1, 2 * TILE + 300};
  }
}
