package funnel.functions;

import funnel.operation.Target;

class EmulatorConditionsTest extends ConditionsContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 3000};
  }
}
