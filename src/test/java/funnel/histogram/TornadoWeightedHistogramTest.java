package funnel.histogram;

import funnel.engine.Engine;
import funnel.engine.tornado.TornadoEngine;
import funnel.ptx.PtxDriver;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoWeightedHistogramTest extends WeightedHistogramContract {

  @Override
  Engine open() {
    return TornadoEngine.open();
  }

  @Override
  int capacity() {
    return PtxDriver.length(1_000_008) / 24 * 24;
  }

  @Override
  List<Integer> lengths() {
    return List.of(0, 12, 4104, capacity());
  }

  @Override
  int randomCases() {
    return 3;
  }
}
