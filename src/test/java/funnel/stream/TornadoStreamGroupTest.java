package funnel.stream;

import funnel.operation.Target;
import funnel.ptx.PtxDriver;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoStreamGroupTest extends StreamGroupContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  int piece() {
    return PtxDriver.length((1 << 18) + 3);
  }
}
