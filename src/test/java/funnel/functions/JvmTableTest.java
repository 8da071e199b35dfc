package funnel.functions;

import funnel.operation.Target;

class JvmTableTest extends TableContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 2047, 2049, 70_000};
  }
}
