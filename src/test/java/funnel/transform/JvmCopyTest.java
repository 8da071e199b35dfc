package funnel.transform;

import funnel.operation.Target;

class JvmCopyTest extends CopyContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 1000, 70_001};
  }
}
