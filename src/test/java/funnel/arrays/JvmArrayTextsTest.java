package funnel.arrays;

import funnel.operation.Target;

class JvmArrayTextsTest extends ArrayTextsContract {

  @Override
  public Target target() {
    return Target.JVM;
  }
}
