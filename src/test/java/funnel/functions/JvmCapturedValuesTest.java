package funnel.functions;

import funnel.operation.Target;

class JvmCapturedValuesTest extends CapturedValuesContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 2047, 2049, 70_000};
  }

  @Override
  int calls() {
    return 10_000;
  }
}
