package funnel.transform;

import funnel.operation.Target;

class JvmMoveTest extends MoveContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 1000, 16_384, 65_537, 200_000};
  }
}
