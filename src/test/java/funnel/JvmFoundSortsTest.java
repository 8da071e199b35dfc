package funnel;

import funnel.operation.Target;

class JvmFoundSortsTest extends FoundSortsContract {

  @Override
  Target target() {
    return Target.JVM;
  }
}
