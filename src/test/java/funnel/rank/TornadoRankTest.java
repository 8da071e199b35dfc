package funnel.rank;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoRankTest extends RankContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public int[] lengths() {
    return new int[] {
      0, 1, 2, 33, 511, 513, 2047, 2049, 4095, 4096, 4097, 12_289, 1 << 20, (1 << 22) + 77
    };
  }

  @Override
  int several() {
    return 100_000;
  }
}
