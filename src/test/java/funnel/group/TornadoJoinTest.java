package funnel.group;

import funnel.operation.Target;
import funnel.ptx.PtxDriver;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoJoinTest extends JoinContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public int[] lengths() {
    return PtxDriver.lengths(0, 1, 33, 2049, 8193, 1 << 20);
  }
}
