package funnel.stream;

import funnel.operation.Target;

class JvmStreamSinkTest extends StreamSinkContract {

  @Override
  public Target target() {
    return Target.JVM;
  }
}
