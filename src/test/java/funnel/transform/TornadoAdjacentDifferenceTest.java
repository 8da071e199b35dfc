package funnel.transform;

import funnel.engine.Engine;
import funnel.engine.tornado.TornadoEngine;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoAdjacentDifferenceTest extends AdjacentDifferenceContract {

  @Override
  Engine open() {
    return TornadoEngine.open();
  }
}
