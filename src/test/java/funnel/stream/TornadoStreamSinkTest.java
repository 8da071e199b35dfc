package funnel.stream;

import funnel.operation.Target;
import funnel.ptx.PtxDriver;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoStreamSinkTest extends StreamSinkContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  /** Of longs and doubles more than what is staged from on: 32 MiB. */
  @Override
  int piece() {
    return PtxDriver.length((1 << 22) + 3);
  }
}
