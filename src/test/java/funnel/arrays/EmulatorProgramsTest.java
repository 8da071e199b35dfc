package funnel.arrays;

import funnel.operation.Target;

class EmulatorProgramsTest extends ProgramsContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 2, 300};
  }
}
