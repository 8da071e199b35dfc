package funnel.engine;

import funnel.engine.tornado.TornadoEngine;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoRoutineTest extends RoutineContract {

  @Override
  Engine engine() {
    return TornadoEngine.open();
  }
}
