package funnel.sort;

import funnel.operation.Target;

class JvmMergeTest extends MergeContract {

  @Override
  public Target target() {
    return Target.JVM;
  }
}
