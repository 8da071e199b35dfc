package funnel.arrays;

import funnel.operation.Target;

class JvmArraySourcesTest extends ArraySourcesContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 5000};
  }
}
