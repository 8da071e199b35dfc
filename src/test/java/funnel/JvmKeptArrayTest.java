package funnel;

import funnel.operation.Target;

class JvmKeptArrayTest extends KeptArrayContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 2, 31, 1000, 5000};
  }

  @Override
  int cycles() {
    return 1000;
  }
}
