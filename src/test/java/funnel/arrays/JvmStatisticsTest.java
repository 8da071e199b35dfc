package funnel.arrays;

import funnel.operation.Target;

class JvmStatisticsTest extends StatisticsContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {(1 << 24) + 8};
  }
}
