package funnel;

import funnel.operation.Target;

class JvmForgottenPlansTest extends ForgottenPlansContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 1000};
  }
}
