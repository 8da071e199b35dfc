package funnel.rank;

import funnel.operation.Target;

class EmulatorRankTest extends RankContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 2049, 4097};
  }

  @Override
  int several() {
    return 4200;
  }
}
