package funnel.arrays;

import funnel.operation.Target;

class JvmTablesTest extends TablesContract {

  @Override
  public Target target() {
    return Target.JVM;
  }
}
