package funnel.arrays;

import funnel.operation.Target;

class JvmRandomTablesTest extends RandomTablesContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  int tables() {
    return 400;
  }
}
