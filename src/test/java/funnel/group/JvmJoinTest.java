package funnel.group;

import funnel.operation.Target;

class JvmJoinTest extends JoinContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 2, 77, 5000, 60_000};
  }
}
