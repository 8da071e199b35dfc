package funnel.math;

import funnel.operation.Target;

class JvmElementaryFunctionsTest extends ElementaryFunctionsContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {5000};
  }
}
