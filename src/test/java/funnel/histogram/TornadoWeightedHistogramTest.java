package funnel.histogram;

import funnel.engine.Engine;
import funnel.engine.TornadoEngine;
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
    return 1_000_008;
  }

  @Override
  List<Integer> lengths() {
    return List.of(0, 12, 4104, 1_000_008);
  }

  @Override
  int randomCases() {
    return 3;
  }
}
