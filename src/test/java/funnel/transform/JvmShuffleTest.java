package funnel.transform;

import funnel.operation.Target;

class JvmShuffleTest extends ShuffleContract {

  @Override
  Target target() {
    return Target.JVM;
  }

  @Override
  int[] lengths() {
    return new int[] {0, 1, 2, 63, 64, 1000, 70_001};
  }
}
