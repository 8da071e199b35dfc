package funnel.functions;

import funnel.operation.Target;

class EmulatorExactFunctionsTest extends ExactFunctionsContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {1, 33, 600};
  }
}
