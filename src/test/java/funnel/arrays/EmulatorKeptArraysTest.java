package funnel.arrays;

import funnel.Seed;
import funnel.operation.Target;

class EmulatorKeptArraysTest extends KeptArraysContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 300};
  }

  @Override
  int steps() {
    return Seed.draws(12);
  }
}
