package funnel.arrays;

import funnel.operation.Target;

class EmulatorStatisticsTest extends StatisticsContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {40};
  }
}
