package funnel.functions;

import funnel.operation.Target;

class EmulatorCapturedValuesTest extends CapturedValuesContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 2100};
  }

  @Override
  int calls() {
    return 200;
  }
}
