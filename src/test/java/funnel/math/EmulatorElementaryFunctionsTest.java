package funnel.math;

import funnel.operation.Target;

class EmulatorElementaryFunctionsTest extends ElementaryFunctionsContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {5000};
  }
}
