package funnel.scan;

import funnel.operation.Target;

class JvmWindowTest extends WindowContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 2, 3, 33, 4095, 4096, 4097, 70_000};
  }
}
