package funnel.transform;

import funnel.operation.Target;

class EmulatorBitsTest extends BitsContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 31, 32, 33, 257, TILE - 1, TILE, TILE + 1, 2 * TILE + 300};
  }
}
