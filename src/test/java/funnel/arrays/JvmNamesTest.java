package funnel.arrays;

import funnel.operation.Target;

class JvmNamesTest extends NamesContract {

  @Override
  public Target target() {
    return Target.JVM;
  }
}
