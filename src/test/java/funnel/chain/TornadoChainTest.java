package funnel.chain;

import funnel.operation.Target;
import funnel.ptx.PtxDriver;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoChainTest extends ChainContract {

  @Override
  Target target() {
    return Target.TORNADO;
  }

  @Override
  int chains() {
    return 10;
  }

  @Override
  int capacity() {
    return PtxDriver.length(300_000);
  }
}
