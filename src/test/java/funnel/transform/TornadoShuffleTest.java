package funnel.transform;

import funnel.operation.Target;
import funnel.ptx.PtxDriver;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoShuffleTest extends ShuffleContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public int[] lengths() {
    return PtxDriver.lengths(0, 1, 2, 63, 64, 257, 1000, 70_001, 1 << 18);
  }
}
