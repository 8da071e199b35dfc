package funnel.arrays;

import funnel.operation.Target;

class JvmJoinedTablesTest extends JoinedTablesContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 31, 33, 1000, 2049, 70_000};
  }
}
