package funnel.arrays;

import funnel.operation.Target;

class JvmProgramsTest extends ProgramsContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 2, 1000, 40_001};
  }
}
