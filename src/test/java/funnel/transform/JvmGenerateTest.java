package funnel.transform;

import funnel.operation.Target;

class JvmGenerateTest extends GenerateContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 1000, 1025, 70_001};
  }
}
