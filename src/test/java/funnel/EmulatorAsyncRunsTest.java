package funnel;

import funnel.operation.Target;

class EmulatorAsyncRunsTest extends AsyncRunsContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 257, 3_001};
  }
}
