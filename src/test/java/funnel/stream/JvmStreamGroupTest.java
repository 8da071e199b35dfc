package funnel.stream;

import funnel.operation.Target;

class JvmStreamGroupTest extends StreamGroupContract {

  @Override
  public Target target() {
    return Target.JVM;
  }
}
