package funnel.functions;

import funnel.operation.Target;

class JvmExactFunctionsTest extends ExactFunctionsContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 5000};
  }
}
