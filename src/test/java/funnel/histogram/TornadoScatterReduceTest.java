package funnel.histogram;

import funnel.engine.Engine;
import funnel.engine.tornado.TornadoEngine;
import funnel.operation.Target;
import funnel.ptx.PtxDriver;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoScatterReduceTest extends ScatterReduceContract {

  @Override
  Engine open() {
    return TornadoEngine.open();
  }

  @Override
  int capacity(int length) {
    return length < 20_000 ? 20_000 : 1_000_000;
  }

  @Override
  List<Integer> longLengths() {
    return List.of(PtxDriver.length(1_000_000));
  }

  @Override
  int randomRuns() {
    return PtxDriver.isDevice(Target.TORNADO) ? super.randomRuns() : 10;
  }

  @Override
  int tenthsTried(int length) {
    return PtxDriver.isDevice(Target.TORNADO) ? super.tenthsTried(length) : 1;
  }
}
