package funnel.transform;

import funnel.operation.Target;

class JvmBitsTest extends BitsContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 31, 32, 33, 1000, 70_001};
  }
}
