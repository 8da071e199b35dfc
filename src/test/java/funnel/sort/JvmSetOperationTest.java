package funnel.sort;

import funnel.operation.Target;

class JvmSetOperationTest extends SetOperationContract {

  @Override
  public Target target() {
    return Target.JVM;
  }
}
