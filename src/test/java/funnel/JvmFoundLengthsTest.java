package funnel;

import funnel.operation.Target;

class JvmFoundLengthsTest extends FoundLengthsContract {

  @Override
  Target target() {
    return Target.JVM;
  }
}
