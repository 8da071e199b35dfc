package funnel;

import funnel.operation.Target;

class EmulatorForgottenPlansTest extends ForgottenPlansContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 1000};
  }
}
