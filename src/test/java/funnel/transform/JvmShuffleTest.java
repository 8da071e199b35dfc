package funnel.transform;

import funnel.operation.Target;

class JvmShuffleTest extends ShuffleContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 2, 63, 64, 1000, 70_001};
  }
}
