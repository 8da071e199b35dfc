package funnel.functions;

import funnel.operation.Target;

class JvmConditionsTest extends ConditionsContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 3000};
  }
}
