package funnel.transform;

import funnel.operation.Target;
import funnel.ptx.PtxDriver;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoMoveTest extends MoveContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public int[] lengths() {
    return PtxDriver.lengths(0, 1, 255, 256, 1023, 1024, 1025, 5000, 65_537, 1 << 20);
  }
}
