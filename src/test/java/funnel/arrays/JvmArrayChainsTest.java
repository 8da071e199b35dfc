package funnel.arrays;

import funnel.operation.Target;

class JvmArrayChainsTest extends ArrayChainsContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  int chains() {
    return 250;
  }
}
