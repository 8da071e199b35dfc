package funnel.transform;

import funnel.operation.Target;
import funnel.ptx.PtxDriver;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoTransposeTest extends TransposeContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public int[] lengths() {
    return PtxDriver.lengths(0, 1, 2, 4095, 4096, 4097, 9000, 200_000, 1 << 20);
  }
}
