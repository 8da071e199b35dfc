package funnel.transform;

import funnel.operation.Target;

class JvmTransposeTest extends TransposeContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 4096, 65_537, 200_000};
  }
}
