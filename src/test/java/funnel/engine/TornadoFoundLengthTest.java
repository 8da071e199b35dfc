package funnel.engine;

import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoFoundLengthTest extends FoundLengthContract {

  @Override
  Engine engine() {
    return TornadoEngine.open();
  }
}
