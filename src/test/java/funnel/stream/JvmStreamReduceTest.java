package funnel.stream;

import funnel.operation.Target;

class JvmStreamReduceTest extends StreamReduceContract {

  @Override
  public Target target() {
    return Target.JVM;
  }
}
