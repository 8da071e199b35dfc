package funnel;

import funnel.operation.Target;
import funnel.ptx.PtxDriver;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoAsyncRunsTest extends AsyncRunsContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public int[] lengths() {
    return PtxDriver.lengths(0, 1, 1000, 3_000_001);
  }
}
