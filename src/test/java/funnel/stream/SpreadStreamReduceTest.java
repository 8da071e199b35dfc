package funnel.stream;

import funnel.operation.Target;

/** As one array has it, whatever device a piece comes to. */
class SpreadStreamReduceTest extends StreamReduceContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  int devices() {
    return 2;
  }
}
