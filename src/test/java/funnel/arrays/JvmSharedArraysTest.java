package funnel.arrays;

import funnel.operation.Target;

class JvmSharedArraysTest extends SharedArraysContract {

  @Override
  public Target target() {
    return Target.JVM;
  }
}
