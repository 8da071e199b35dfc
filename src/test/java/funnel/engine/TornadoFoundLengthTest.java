package funnel.engine;

import funnel.engine.tornado.TornadoEngine;
import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoFoundLengthTest extends FoundLengthContract {

  @Override
  Target target() {
    return Target.TORNADO;
  }

  @Override
  Engine engine() {
    return TornadoEngine.open();
  }
}
