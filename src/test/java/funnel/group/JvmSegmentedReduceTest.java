package funnel.group;

import funnel.operation.Target;

class JvmSegmentedReduceTest extends SegmentedReduceContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 2, 77, 5000, 100_000};
  }
}
