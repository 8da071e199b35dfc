package funnel.sort;

import funnel.operation.Target;

class JvmKeyOrdersTest extends KeyOrdersContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 5000, 70_000};
  }
}
