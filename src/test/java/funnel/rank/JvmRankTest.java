package funnel.rank;

import funnel.operation.Target;

class JvmRankTest extends RankContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 2, 3, 5, 31, 33, 1000, 1025, 70_000, 200_000};
  }

  @Override
  int several() {
    return 100_000;
  }
}
