package funnel.group;

import funnel.operation.Target;

class JvmJoinTest extends JoinContract {

  @Override
  Target target() {
    return Target.JVM;
  }

  @Override
  int[] lengths() {
    return new int[] {0, 1, 2, 77, 5000, 60_000};
  }
}
