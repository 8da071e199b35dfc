package funnel.group;

import funnel.operation.Target;
import funnel.ptx.PtxDriver;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoSegmentedReduceTest extends SegmentedReduceContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public int[] lengths() {
    return PtxDriver.lengths(0, 1, 33, 2049, 1 << 20, (1 << 22) + 77);
  }
}
