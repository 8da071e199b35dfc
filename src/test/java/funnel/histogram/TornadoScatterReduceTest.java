package funnel.histogram;

import funnel.engine.Engine;
import funnel.engine.TornadoEngine;
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
    return List.of(1_000_000);
  }
}
